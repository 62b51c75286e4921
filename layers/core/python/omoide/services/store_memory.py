"""Store one memory."""

from dataclasses import dataclass

from omoide.domain.principal import Principal
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.use_log import UseLog
from omoide.services.limit_requests import LimitRequests
from omoide.services.new_memory import Dedupe, NewMemory, Outcome, Stored

__all__ = ["Dedupe", "NewMemory", "Outcome", "StoreMemory", "Stored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreMemory:
    """Stores one memory."""

    records: MemoryRecords
    lookups: WriteLookups
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock
    entropy: Entropy

    def __call__(
        self, principal: Principal, new: NewMemory, *, operation_id: str | None = None
    ) -> Stored:
        """Store a memory."""
        raise NotImplementedError
