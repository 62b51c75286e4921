"""Pending writes as the log by which instances learn of each other's writes."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from omoide.ports.clock import Clock
from omoide.ports.index_writer import Unindexable
from omoide.ports.pending_writes import MemoryRef, PendingList, PendingWrite, PendingWrites
from omoide.ports.scoring_source import IndexEntry

KEPT = timedelta(minutes=30)
"""Every write stays pending so long."""


class KeptWrites:
    """Implements `PendingWrites` so that what follows the records forgets only what is old.

    Args:
        pending: The pending writes.
        clock: The time of day.
    """

    def __init__(self, pending: PendingWrites, clock: Clock) -> None:
        self._pending = pending
        self._clock = clock

    def of_namespace(self, namespace: str, limit: int) -> PendingList:
        """The newest ``limit`` pending writes of a namespace."""
        return self._pending.of_namespace(namespace, limit)

    def find(self, memories: Sequence[MemoryRef]) -> list[PendingWrite]:
        """Those pending writes that are old enough to be forgotten."""
        oldest = self._clock.now() - KEPT
        return [one for one in self._pending.find(memories) if one.written_at < oldest]

    def overdue(self, before: datetime, limit: int) -> list[PendingWrite]:
        """Pending writes of all namespaces that are old enough to be forgotten."""
        return self._pending.overdue(min(before, self._clock.now() - KEPT), limit)

    def clear(self, writes: Sequence[PendingWrite]) -> None:
        """Forget those whose token is still the same."""
        self._pending.clear(writes)

    def set_aside(self, writes: Sequence[PendingWrite]) -> None:
        """Let those whose token is still the same be overdue no more."""
        self._pending.set_aside(writes)


class NoIndexWriter:
    """Implements `IndexWriter` where there is no index: searches read the records."""

    def write(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Searches see the entries already."""
        return []
