"""Bringing pending writes into an index that follows the records."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omoide.ports.index_writer import IndexWriter, Unindexable
from omoide.ports.pending_writes import PendingWrite, PendingWrites
from omoide.ports.scoring_source import ScoringSource

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPending:
    """Writes what the records say now to the index, whatever the pending writes were.

    Attributes:
        pending: Forgets what the index has taken.
        source: What to index.
        writer: The index.
    """

    pending: PendingWrites
    source: ScoringSource
    writer: IndexWriter

    def __call__(
        self,
        writes: Sequence[PendingWrite],
        *,
        tell: Callable[[Sequence[Unindexable]], None] | None = None,
    ) -> list[Unindexable]:
        """Index or delete the memories of pending writes, wait until searches see it, clear them.

        A write that came in between has another token, so it stays pending and comes again. What
        cannot be indexed stays pending too, but once it is told it is overdue no more: what could
        not be told comes again with what is overdue.

        Args:
            writes: What to index.
            tell: Is told of memories that cannot be indexed; None when they are known already.

        Returns:
            The memories that cannot be indexed.

        Raises:
            UnavailableError: Records or index cannot be reached, or nobody can be told; everything
                stays pending that is not cleared yet.
        """
        if not writes:
            return []
        faults = self.writer.write(self.source.read([write.memory for write in writes]))
        faulty = {fault.memory for fault in faults}
        self.pending.clear([write for write in writes if write.memory not in faulty])
        if faults and tell is not None:
            tell(faults)
        self.pending.set_aside([write for write in writes if write.memory in faulty])
        for fault in faults:
            _LOGGER.error(
                "memory %s, version %d, cannot be indexed: %s",
                fault.memory.memory_id,
                fault.version,
                fault.reason,
            )
        return faults
