"""Newest truth: of two memories that say the same of the same thing, the newer one leads.

"The rent is 128,000 yen" and "The rent was raised to 135,000 yen" answer the same question, and the
older text often answers it in the better words. So a memory that reads like a successor of one of
the best takes over its relevance and a little more; a question about the past ("before the move")
turns this round, and lets the predecessor lead. An identifier in the query that only the passed
memory has keeps the order, and so does a time that it is closer to.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values
from omoide.domain.ranking.succession import Best, best_of, preceded, succeeded
from omoide.domain.tense import Tense

_MARGIN = {Tense.OPEN: 0.03, Tense.NOW: 0.03, Tense.ONCE: 0.12}
"""What the one that leads gets beyond the relevance that it takes over, as a share of it: an older
one more, as profiles favour what is new."""
_ASKED = 0.55
"""How much it speaks for a succession that the query asks for what holds now, or held before."""
_LEADER_CHANGES = -0.6
"""How much it speaks against a memory being outdated that it tells of a change itself."""


def newer_first(pool: Pool, query: QueryFeatures, relevance: Values) -> Part:
    """Score what a memory lacks to pass the one that it succeeds, or precedes, if that is asked.

    Args:
        pool: The nominated memories.
        query: The query.
        relevance: ``(n,)`` unclipped relevance so far.
    """
    lifted = relevance.copy()
    applies = np.diff(pool.token_offsets) > 0
    pairs = _PAIRS.get(query.tense)
    if pairs is not None and applies.any():
        best, margin = best_of(pool, query, relevance), _MARGIN[query.tense]
        for passed, leading in pairs(best):
            old, new = best.rows[passed], best.rows[leading]
            lifted[new] = max(lifted[new], lifted[old] + margin * abs(lifted[old]))
    return Part(values=lifted - relevance, applies=applies)


def _successors(best: Best, asked: float = 0.0) -> Iterator[tuple[int, int]]:
    """Yield pairs of an outdated memory and a successor, the oldest first."""
    stays = _LEADER_CHANGES * best.changes[: best.leaders, np.newaxis]
    found = succeeded(best, stays + asked)
    for leader in np.argsort(best.times[: best.leaders], kind="stable"):
        for successor in np.flatnonzero(found[leader]):
            yield int(leader), int(successor)


def _successors_now(best: Best) -> Iterator[tuple[int, int]]:
    return _successors(best, _ASKED)


def _predecessors(best: Best) -> Iterator[tuple[int, int]]:
    """Yield pairs of the newest of its kind and its nearest predecessor."""
    stays = _LEADER_CHANGES * best.changes[: best.leaders, np.newaxis]
    is_outdated = succeeded(best, stays).any(axis=1)
    found = preceded(best, _ASKED)
    for leader in np.flatnonzero(found.any(axis=1) & ~is_outdated):
        earlier = np.flatnonzero(found[leader])
        yield int(leader), int(earlier[np.argmax(best.times[earlier])])


_PAIRS: dict[Tense, Callable[[Best], Iterable[tuple[int, int]]]] = {
    Tense.OPEN: _successors,
    Tense.NOW: _successors_now,
    Tense.ONCE: _predecessors,
}
