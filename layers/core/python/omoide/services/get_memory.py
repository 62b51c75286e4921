"""Read one memory by its id."""

from dataclasses import dataclass

from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal
from omoide.ports.clock import Clock
from omoide.ports.memory_records import MemoryRecords
from omoide.ports.use_log import UseLog


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMemory:
    """Reads a memory. Reading is not recalling: it counts no access."""

    records: MemoryRecords
    uses: UseLog
    clock: Clock

    def __call__(self, principal: Principal, memory_id: str) -> MemoryView:
        """Return the memory."""
        raise NotImplementedError
