"""Store up to 100 memories at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.domain.errors import OmoideError
from omoide.domain.principal import Principal
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.use_log import UseLog
from omoide.services.limit_requests import LimitRequests
from omoide.services.new_memory import NewMemory, Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreMemories:
    """Stores a batch of memories."""

    records: MemoryRecords
    lookups: WriteLookups
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock
    entropy: Entropy

    def __call__(
        self,
        principal: Principal,
        items: Sequence[NewMemory | OmoideError],
        *,
        operation_id: str | None = None,
    ) -> list[Stored | OmoideError]:
        """Store a batch; answers come in the order of the items."""
        raise NotImplementedError
