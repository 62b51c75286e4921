"""The one place that wires ports to adapters, from the settings, once per process.

Adapters and the embedding layer are imported when something first needs them, so a function loads
only what it uses. Tests and the local runtime call `configure` first; everything else just asks
for its service.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from functions.wiring import DataFolder, Records, Wiring, WritePorts
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import Embedder
from omoide.ports.keys import KeyStore
from omoide.settings import Settings

if TYPE_CHECKING:
    from omoide.services.authenticate_key import AuthenticateKey
    from omoide.services.check_readiness import CheckReadiness
    from omoide.services.count_memories import CountMemories
    from omoide.services.delete_memory import DeleteMemory
    from omoide.services.get_memory import GetMemory
    from omoide.services.limit_requests import LimitRequests
    from omoide.services.list_memories import ListMemories
    from omoide.services.manage_keys import CreateKey, ListKeys, RevokeKey
    from omoide.services.search_memories import SearchMemories
    from omoide.services.store_memories import StoreMemories
    from omoide.services.store_memory import StoreMemory
    from omoide.services.update_memory import UpdateMemory

_T = TypeVar("_T")


_wiring = Wiring()


def _once(make: Callable[[], _T]) -> Callable[[], _T]:
    """Make a part when it is first asked for, once per configuration."""

    @wraps(make)
    def part() -> _T:
        return _wiring.once(make.__name__, make)

    return part


def configure(
    settings: Settings | None = None,
    *,
    folder: DataFolder | None = None,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> None:
    """Wire this process anew; what was open before is closed.

    Args:
        settings: None reads the environment when something is first needed.
        folder: Keeps the memories instead of the folder of the settings.
        embedder: Encodes instead of the model of the settings.
        clock: Tells the time instead of this machine.
        entropy: Gives randomness instead of this machine.
    """
    global _wiring
    former = _wiring
    _wiring = Wiring(settings, folder=folder, embedder=embedder, clock=clock, entropy=entropy)
    former.close()


def close() -> None:
    """Release files and threads; the next use opens them again."""
    _wiring.close()


def settings() -> Settings:
    """The settings of this process."""
    return _wiring.settings


@_once
def clock() -> Clock:
    """The time of day."""
    from omoide.adapters.system.clock import SystemClock

    return SystemClock()


@_once
def entropy() -> Entropy:
    """Randomness."""
    from omoide.adapters.system.clock import SystemEntropy

    return SystemEntropy()


@_once
def embedder() -> Embedder:
    """The embedding model, loaded with the first text; without one, a stand-in that says why."""
    from omoide.adapters.absent.embedder import AbsentEmbedder
    from omoide.domain.errors import ModelUnavailableError
    from omoide_embedding.embedder import OnnxEmbedder
    from omoide_embedding.model_folder import built_model_folder

    named = Path(settings().model).expanduser()
    folder = named if named.is_dir() else built_model_folder(settings().model)
    cache_bytes = settings().embedding_cache << 20
    try:
        return OnnxEmbedder(folder, threads=settings().embedding_threads, cache_bytes=cache_bytes)
    except ModelUnavailableError as error:
        return AbsentEmbedder(str(error))


@_once
def folder() -> DataFolder:
    """The adapters that keep memories; raises what `open_folder` raises.

    Without a model a folder that is there opens as the one it is: reads go on, searches find
    by words, stores are refused.
    """
    from omoide.adapters.embedded import open_folder, read_binding
    from omoide.domain.errors import ModelUnavailableError

    try:
        model = embedder().profile
    except ModelUnavailableError:
        model = read_binding(settings().data)
        if model is None:
            raise
    return open_folder(
        settings().data,
        revision=model.revision,
        model_id=model.model_id,
        dims=model.dims,
        clock=clock(),
        entropy=entropy(),
    )


def records() -> Records:
    """The records."""
    return folder().records


def key_store() -> KeyStore:
    """The API keys."""
    return folder().keys


@_once
def limit() -> "LimitRequests":
    """The rate limits of the settings."""
    from omoide.services.limit_requests import LimitRequests

    return LimitRequests(
        limiter=folder().limiter,
        writes_per_minute=settings().writes_per_minute,
        searches_per_minute=settings().searches_per_minute,
        agent_writes_per_minute=settings().agent_writes_per_minute or None,
        agent_searches_per_minute=settings().agent_searches_per_minute or None,
    )


@_once
def store_memory() -> "StoreMemory":
    """The service that stores one memory."""
    from omoide.services.store_memory import StoreMemory

    return StoreMemory(**_writing(), uses=folder().uses, entropy=entropy())


@_once
def store_memories() -> "StoreMemories":
    """The service that stores a batch."""
    from omoide.services.store_memories import StoreMemories

    return StoreMemories(**_writing(), uses=folder().uses, entropy=entropy())


@_once
def get_memory() -> "GetMemory":
    """The service that reads one memory."""
    from omoide.services.get_memory import GetMemory

    return GetMemory(records=folder().records, uses=folder().uses, clock=clock())


@_once
def update_memory() -> "UpdateMemory":
    """The service that changes one memory."""
    from omoide.services.update_memory import UpdateMemory

    return UpdateMemory(**_writing(), uses=folder().uses)


@_once
def delete_memory() -> "DeleteMemory":
    """The service that deletes one memory."""
    from omoide.services.delete_memory import DeleteMemory

    return DeleteMemory(**_writing())


@_once
def list_memories() -> "ListMemories":
    """The service that lists memories."""
    from omoide.services.list_memories import ListMemories

    return ListMemories(
        records=folder().records, uses=folder().uses, keys=folder().keys, clock=clock()
    )


@_once
def count_memories() -> "CountMemories":
    """The service that counts memories."""
    from omoide.services.count_memories import CountMemories

    return CountMemories(records=folder().records)


@_once
def search_memories() -> "SearchMemories":
    """The service that searches memories."""
    from omoide.services.search_memories import SearchMemories

    return SearchMemories(
        records=folder().records,
        index=folder().index,
        uses=folder().uses,
        embedder=embedder(),
        limit=limit(),
        clock=clock(),
    )


@_once
def authenticate_key() -> "AuthenticateKey":
    """The service that knows whose key it is."""
    from omoide.services.authenticate_key import AuthenticateKey

    return AuthenticateKey(keys=folder().keys)


@_once
def create_key() -> "CreateKey":
    """The service that makes keys."""
    from omoide.services.manage_keys import CreateKey

    return CreateKey(keys=folder().keys, clock=clock(), entropy=entropy())


@_once
def list_keys() -> "ListKeys":
    """The service that lists keys."""
    from omoide.services.manage_keys import ListKeys

    return ListKeys(keys=folder().keys)


@_once
def revoke_key() -> "RevokeKey":
    """The service that revokes keys."""
    from omoide.services.manage_keys import RevokeKey

    return RevokeKey(keys=folder().keys, clock=clock())


def _writing() -> WritePorts:
    return {
        "records": folder().records,
        "lookups": folder().records,
        "embedder": embedder(),
        "limit": limit(),
        "clock": clock(),
    }


def check_health() -> "CheckReadiness":
    """The check whether memories can be read."""
    from omoide.services.check_readiness import CheckReadiness

    return CheckReadiness(records=records)


def check_readiness() -> "CheckReadiness":
    """The check of every part; it loads the model."""
    from omoide.services.check_readiness import CheckReadiness

    return CheckReadiness(records=records, index=lambda: folder().index, embedder=embedder)
