"""Index again what could not be indexed, after its cause was removed."""

from dataclasses import dataclass

from omoide.ports.dead_letters import DeadLetters
from omoide.ports.index_writer import Unindexable
from omoide.ports.pending_writes import PendingWrites
from omoide.services.indexing import IndexPending

BATCH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """What became of the dead letters.

    Attributes:
        mended_count: Memories that are indexed now, or were written or deleted since.
        faults: Memories that still cannot be indexed; their letters are kept.
    """

    mended_count: int
    faults: tuple[Unindexable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedriveDeadLetters:
    """Goes through the dead letters once.

    Attributes:
        pending: Knows which of them are still not indexed.
        index_pending: Indexes them.
        dead_letters: The letters.
    """

    pending: PendingWrites
    index_pending: IndexPending
    dead_letters: DeadLetters

    def __call__(self) -> Redriven:
        """Try every letter once more and remove those that are settled.

        Raises:
            UnavailableError: Something cannot be reached; letters not settled yet are kept.
        """
        mended, faults = 0, dict[str, Unindexable]()
        while letters := self.dead_letters.take(BATCH):
            ids = [letter.fault.memory.memory_id for letter in letters]
            if faults.keys() >= set(ids):
                break
            found = self.pending.find([letter.fault.memory for letter in letters])
            faults |= {fault.memory.memory_id: fault for fault in self.index_pending(found)}
            settled = [letter for letter in letters if letter.fault.memory.memory_id not in faults]
            self.dead_letters.remove(settled)
            mended += len(settled)
        return Redriven(mended_count=mended, faults=tuple(faults.values()))
