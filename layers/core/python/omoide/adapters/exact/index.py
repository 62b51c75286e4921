"""Nominating from memory, exactly."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta

from omoide.adapters.exact.view import ExactView
from omoide.domain.candidates import NominationRequest, Pool
from omoide.engine.held import Held
from omoide.engine.nomination import nominate
from omoide.ports.clock import Clock
from omoide.ports.pending_writes import PendingList, PendingWrites
from omoide.ports.scoring_source import ScoringSource

MEMORY_BUDGET_BYTES = 256 << 20
"""Of all namespaces held; the least recently used go first."""

MAX_MEMORIES = 20_000
"""Of a larger namespace the newest are searched."""

MAX_WRITES = 2_000
"""After more writes than that a namespace is read anew."""

TRUSTED = timedelta(minutes=20)
"""A namespace that was not looked at for so long is read anew: writes stay pending for 30."""

_CLOCKS_DIFFER = timedelta(seconds=60)
_PAGE = 1_000


class ExactMemoryIndex:
    """Implements `MemoryIndex` without an index.

    A namespace is read once; from then on each search reads what is pending, which is every write
    of the last half hour, and takes those it has not seen.

    Args:
        pending: The last writes.
        source: The scoring data of the records.
        revision: Revision of the embedding model.
        dims: Length of a vector.
        clock: The time of day.
        memory_budget_bytes: Memory of all namespaces held.
        max_memories: Most memories of a namespace.
        max_writes: Most writes that are taken one by one.
    """

    def __init__(
        self,
        *,
        pending: PendingWrites,
        source: ScoringSource,
        revision: str,
        dims: int,
        clock: Clock,
        memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
        max_memories: int = MAX_MEMORIES,
        max_writes: int = MAX_WRITES,
    ) -> None:
        self._pending = pending
        self._source = source
        self._revision = revision
        self._dims = dims
        self._clock = clock
        self._max_memories = max_memories
        self._max_writes = max_writes
        self._lock = threading.Lock()
        self._views = Held[ExactView](memory_budget_bytes)

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours.

        Raises:
            UnavailableError: The records cannot be read.
        """
        with self._lock:
            view = self._synchronised(request.namespace)
            live, is_complete = view.live, view.is_complete
        return replace(nominate((live,), request), is_complete=is_complete)

    @property
    def view_count(self) -> int:
        """Namespaces held in memory."""
        return len(self._views)

    def _synchronised(self, namespace: str) -> ExactView:
        began_at = self._clock.now()
        listed = self._pending.of_namespace(namespace, self._max_writes)
        view = self._views.use(namespace)
        # Out of the way until it is whole: what fails half way would miss rows for ever.
        self._views.drop(namespace)
        if view is None or view.is_mostly_dead or not _covers(listed, view, began_at):
            view = self._read(namespace, began_at)
        else:
            unseen = view.unseen(listed.writes)
            if unseen:
                view.take(self._source.read([one.memory for one in reversed(unseen)]))
            view.synchronised_at = began_at
        view.note(listed.writes)
        self._views.put(namespace, view, view.allocated_bytes)
        return view

    def _read(self, namespace: str, began_at: datetime) -> ExactView:
        """Read a namespace; what is written meanwhile is pending at the next search."""
        view = ExactView(revision=self._revision, dims=self._dims, synchronised_at=began_at)
        memories = self._source.newest(namespace, self._max_memories + 1)
        view.is_whole = len(memories) <= self._max_memories
        kept = memories[-self._max_memories :]
        for start in range(0, len(kept), _PAGE):
            view.take(self._source.read_live(kept[start : start + _PAGE]))
        return view


def _covers(listed: PendingList, view: ExactView, now: datetime) -> bool:
    """Whether every write since the view was last brought up to date is still listed."""
    if now - view.synchronised_at > TRUSTED:
        return False
    oldest = min((one.written_at for one in listed.writes), default=now)
    is_known = listed.is_newest and oldest < view.synchronised_at - _CLOCKS_DIFFER
    return listed.is_complete or is_known
