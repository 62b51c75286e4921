"""Nominating what happened at the times a query speaks of, though its words match little.

"What did I do yesterday?" has hardly a word in common with what was done. Among many memories those
of yesterday would not be nominated at all, and nothing that is not nominated can be boosted.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.pool_union import union_of
from omoide.domain.time_words import TimeWindow
from omoide.ports.memory_index import MemoryIndex

_WINDOWS = 2
"""Windows looked at; a query that names more times compares them by its other words."""
_PER_ARM = 30
_NEWEST = 10
"""Of each window, its newest join: with a query of time words alone nothing else tells them."""


def nominate_in_time(
    index: MemoryIndex, request: NominationRequest, windows: Sequence[TimeWindow]
) -> Pool:
    """Return what the index nominates, and what it nominates within each window.

    Args:
        index: Where to look.
        request: The search.
        windows: Times of the query; none leaves the search as it is.

    Raises:
        UnavailableError: The index cannot be reached.
    """
    pool = index.nominate(request)
    for window in windows[:_WINDOWS]:
        where = _within(request.where, window)
        if where is not None:
            timely = replace(
                request,
                where=where,
                pool=min(_PER_ARM, request.pool),
                newest=_NEWEST,
                neighbours=False,
            )
            pool = union_of(pool, index.nominate(timely))
    return pool


def _within(where: MemoryFilter, window: TimeWindow) -> MemoryFilter | None:
    """The filter and the window together, or None where they exclude each other."""
    after = _latest(where.event_after, window.boost_start)
    before = _earliest(where.event_before, window.boost_end)
    if after is not None and before is not None and after >= before:
        return None
    return replace(where, event_after=after, event_before=before)


def _latest(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(one, other) if one is not None and other is not None else one or other


def _earliest(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(one, other) if one is not None and other is not None else one or other
