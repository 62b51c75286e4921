"""Read one memory by its id."""

from dataclasses import dataclass

from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal, Right
from omoide.ports.clock import Clock
from omoide.ports.memory_records import MemoryRecords
from omoide.ports.use_log import UseLog
from omoide.services.addressing import address_memory
from omoide.services.viewing import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GetMemory:
    """Reads a memory. Reading is not recalling: it counts no access."""

    records: MemoryRecords
    uses: UseLog
    clock: Clock

    def __call__(self, principal: Principal, memory_id: str) -> MemoryView:
        """Return the memory.

        Raises:
            NotFoundError: Unknown, deleted, or not visible to the principal.
        """
        memory = address_memory(self.records, principal, memory_id, Right.READ)
        return view_of(memory, self.uses, self.clock.now())
