"""Delete one memory."""

from dataclasses import dataclass

from omoide.domain.principal import Principal
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.services.limit_requests import LimitRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMemory:
    """Deletes a memory."""

    records: MemoryRecords
    lookups: WriteLookups
    embedder: Embedder
    limit: LimitRequests
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        memory_id: str,
        *,
        agent_id: str | None = None,
        cascade: bool = False,
    ) -> None:
        """Delete a memory."""
        raise NotImplementedError
