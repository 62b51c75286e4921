"""Index what has been pending for too long."""

from dataclasses import dataclass
from datetime import timedelta

from omoide.ports.clock import Clock
from omoide.ports.dead_letters import DeadLetters
from omoide.ports.pending_writes import PendingWrites
from omoide.services.indexing import IndexPending

OVERDUE_AFTER = timedelta(seconds=60)
BATCH = 500
MAX_BATCHES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrivePending:
    """Mends what the stream has lost: looks at the pending writes themselves.

    Attributes:
        pending: The pending writes.
        index_pending: Indexes them.
        dead_letters: Keeps what cannot be indexed.
        clock: The time of day.
        batch: How many are indexed at once.
        max_batches: A call stops after so many; the next one goes on.
    """

    pending: PendingWrites
    index_pending: IndexPending
    dead_letters: DeadLetters
    clock: Clock
    batch: int = BATCH
    max_batches: int = MAX_BATCHES

    def __call__(self) -> int:
        """Index writes that have been pending for more than a minute, oldest first.

        Returns:
            How many were looked at.

        Raises:
            UnavailableError: Something cannot be reached; the next call tries again.
        """
        before = self.clock.now() - OVERDUE_AFTER
        count = 0
        for _ in range(self.max_batches):
            writes = self.pending.overdue(before, self.batch)
            self.index_pending(writes, tell=self.dead_letters.send)
            count += len(writes)
            if len(writes) < self.batch:
                break
        return count
