"""Index memories that were written."""

from collections.abc import Iterable
from dataclasses import dataclass

from omoide.ports.dead_letters import DeadLetters
from omoide.ports.pending_writes import MemoryRef, PendingWrites
from omoide.services.indexing import IndexPending


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexMemories:
    """Takes the hint that memories changed; what the records say decides.

    Attributes:
        pending: Knows which of them the index has not taken.
        index_pending: Indexes them.
        dead_letters: Keeps what cannot be indexed.
    """

    pending: PendingWrites
    index_pending: IndexPending
    dead_letters: DeadLetters

    def __call__(self, memories: Iterable[MemoryRef]) -> None:
        """Bring the index up to date with some memories; others are not looked at.

        Raises:
            UnavailableError: Something cannot be reached; the hint has to be given again.
        """
        distinct = list(dict.fromkeys(memories))
        if not distinct:
            return
        self.index_pending(self.pending.find(distinct), tell=self.dead_letters.send)
