"""The one place that wires ports to adapters, from the settings, once per process.

Adapters and the embedding layer are imported when something first needs them, so a function loads
only what it uses. Tests and the local runtime call `configure` first; everything else just asks
for its service.
"""

from functions.composition.background import (
    index_memories,
    record_accesses,
    redrive_dead_letters,
    redrive_pending,
    reindex,
)
from functions.composition.parts import (
    clock,
    embedder,
    entropy,
    folder,
    index,
    key_store,
    limit,
    limiter,
    records,
    shown,
    uses,
)
from functions.composition.process import close, configure, settings
from functions.composition.services import (
    authenticate_key,
    check_health,
    check_readiness,
    count_memories,
    create_key,
    delete_memory,
    get_memory,
    list_keys,
    list_memories,
    retrieve_context,
    revoke_key,
    search_memories,
    store_memories,
    store_memory,
    surface_memories,
    update_memory,
)

__all__ = [
    "authenticate_key",
    "check_health",
    "check_readiness",
    "clock",
    "close",
    "configure",
    "count_memories",
    "create_key",
    "delete_memory",
    "embedder",
    "entropy",
    "folder",
    "get_memory",
    "index",
    "index_memories",
    "key_store",
    "limit",
    "limiter",
    "list_keys",
    "list_memories",
    "record_accesses",
    "records",
    "redrive_dead_letters",
    "redrive_pending",
    "reindex",
    "retrieve_context",
    "revoke_key",
    "search_memories",
    "settings",
    "shown",
    "store_memories",
    "store_memory",
    "surface_memories",
    "update_memory",
    "uses",
]
