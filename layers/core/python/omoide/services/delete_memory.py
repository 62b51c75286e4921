"""Delete one memory."""

from dataclasses import dataclass, replace

from omoide.domain.errors import NotFoundError, UnavailableError, VersionConflictError
from omoide.domain.memory import Memory
from omoide.domain.principal import Principal, Right
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.rate_limiter import RequestKind
from omoide.services.addressing import address_memory
from omoide.services.limit_requests import LimitRequests
from omoide.services.record_change import remove_record
from omoide.services.storing import MAX_ATTEMPTS


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMemory:
    """Deletes a memory: hidden from every read at once, its fingerprint and turn are free."""

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
        """Delete a memory.

        Args:
            principal: The caller.
            memory_id: What to delete.
            agent_id: The agent the memory must belong to (memex's check), if any.
            cascade: Whether what was derived from the memory goes with it; nothing is derived
                from a memory that was only stored.

        Raises:
            NotFoundError: Unknown, deleted already, of another agent, or not visible to the
                principal: never told apart.
            ForbiddenError: The principal may read the memory, but not write.
            RateLimitedError: Too many writes in the last minute.
            UnavailableError: The store is busy, or every attempt lost a race.
        """
        self.limit(principal, RequestKind.WRITE)
        for _ in range(MAX_ATTEMPTS):
            memory = address_memory(self.records, principal, memory_id, Right.WRITE)
            if agent_id is not None and memory.agent_id != agent_id:
                raise NotFoundError
            try:
                self.records.commit(
                    remove_record(self.lookups, self.embedder, memory, self._tombstone(memory))
                )
            except VersionConflictError:
                continue
            return
        raise UnavailableError("others keep changing this memory; try again")

    def _tombstone(self, memory: Memory) -> Memory:
        """The record without anything it said."""
        now = self.clock.now()
        return replace(
            memory,
            version=memory.version + 1,
            updated_at=now,
            deleted_at=now,
            fingerprint=None,
            content="",
            summary=None,
            tags=(),
            entities=(),
            metadata={},
        )
