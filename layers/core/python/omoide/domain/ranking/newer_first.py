"""Newest truth: of two memories that say the same of the same thing, the newer one leads.

"The rent is 128,000 yen" and "The rent was raised to 135,000 yen" answer the same question, and the
older text often answers it in the better words. So a memory that reads like a successor of one of
the best takes over its relevance and a little more; a question about the past ("before the move")
turns this round, and lets the predecessor lead.

What speaks for a succession is how alike both texts are, word by word (late interaction in both
directions, on the model's scale), that neither is closer to another candidate of that direction in
time, that the newer tells of a change, and that the question asks for what holds now, or held once.
What speaks against it is how much worse the other matches the query. An identifier in the query
that only the leader has keeps the order, and so does a time that the leader is closer to. The
weights are those of a logistic regression, rounded (docs/ranking.md).
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.memory import MemoryType
from omoide.domain.ranking.late_interaction import signs_of
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Mask, Part, Values
from omoide.domain.tense import Tense
from omoide.domain.time_words import closeness_of_all

_LEADERS = 5
"""The best memories that may be passed."""
_CANDIDATES = 20
"""The best memories among which their successors are looked for."""
_TOKENS = 48
"""Words of a memory that are compared; of a long text its first."""
_MARGIN = 0.03
"""What a successor gets beyond the relevance that it takes over, as a share of it."""

_NEAREST_NEWER = 0.35
_NEAREST_OLDER = 0.4
_CHANGE = 0.4
_LEADER_CHANGES = -0.6
_ASKED = 0.55
_SAME_TYPE = 0.5
_EVENT = -0.5
_FOCUS = 0.2
_GAP = -0.4
_ENOUGH = 1.75
_EPISODIC = list(MemoryType).index(MemoryType.EPISODIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Best:
    """The best of a pool.

    Attributes:
        rows: ``(m,)`` rows of the pool, best first.
        relevance: ``(m,)``.
        times: ``(m,)`` event times, milliseconds.
        changes: ``(m,)`` whether they tell of a change.
        succession: ``(m, m)`` evidence that the second succeeds the first, by their texts and
            times; minus infinity where it is not the newer.
        focus: ``(m, m)`` how alike what answers the query in the first is to the second.
    """

    rows: NDArray[np.int64]
    relevance: Values
    times: NDArray[np.int64]
    changes: Mask
    succession: Values
    focus: Values


def newer_first(pool: Pool, query: QueryFeatures, relevance: Values) -> Part:
    """Score what a memory lacks to pass the one that it succeeds, or precedes, if that is asked.

    Args:
        pool: The nominated memories.
        query: The query.
        relevance: ``(n,)`` unclipped relevance so far.
    """
    lifted = relevance.copy()
    applies = np.diff(pool.token_offsets) > 0
    if applies.any():
        best = _best(pool, query, relevance, applies)
        for passed, leads in _PAIRS[query.tense](pool, query, best):
            old, new = best.rows[passed], best.rows[leads]
            lifted[new] = max(lifted[new], lifted[old] + _MARGIN * abs(lifted[old]))
    return Part(values=lifted - relevance, applies=applies)


def _successors(pool: Pool, query: QueryFeatures, best: _Best) -> Iterator[tuple[int, int]]:
    """Yield pairs of an outdated memory and a successor, the oldest first."""
    evidence = _evidence(pool, query, best, best.succession)
    evidence += _ASKED * (query.tense is Tense.NOW) + _LEADER_CHANGES * best.changes[:, np.newaxis]
    leaders = np.arange(min(_LEADERS, len(best.rows)))
    for leader in leaders[np.argsort(best.times[leaders], kind="stable")]:
        for follower in np.flatnonzero(evidence[leader] > _ENOUGH):
            yield int(leader), int(follower)


def _predecessors(pool: Pool, query: QueryFeatures, best: _Best) -> Iterator[tuple[int, int]]:
    """Yield pairs of the newest of its kind and its nearest predecessor."""
    evidence = _evidence(pool, query, best, best.succession.T) + _ASKED
    newer = _evidence(pool, query, best, best.succession)
    newer += _LEADER_CHANGES * best.changes[:, np.newaxis]
    for leader in range(min(_LEADERS, len(best.rows))):
        is_newest = not bool((newer[leader] > _ENOUGH).any())
        earlier = np.flatnonzero(evidence[leader] > _ENOUGH)
        if is_newest and len(earlier):
            yield leader, int(earlier[np.argmax(best.times[earlier])])


def _evidence(pool: Pool, query: QueryFeatures, best: _Best, succession: Values) -> Values:
    """Return ``(m, m)`` what speaks for the second passing the first."""
    gap = np.maximum(0.0, best.relevance[:, np.newaxis] - best.relevance)
    evidence = succession + _GAP * gap + _FOCUS * best.focus
    keeps = _lacks_identifier(pool, query, best.rows) | _is_further_in_time(query, best.times)
    return np.where(keeps, -np.inf, evidence)


def _is_further_in_time(query: QueryFeatures, times: NDArray[np.int64]) -> Mask:
    """Return ``(m, m)`` whether the second lies further from the times of the query."""
    close = closeness_of_all(query.windows, times, times)
    return close[:, np.newaxis] > close


def _lacks_identifier(pool: Pool, query: QueryFeatures, rows: NDArray[np.int64]) -> Mask:
    """Return ``(m, m)`` whether the query holds a number or code that only the first has."""
    if len(query.identifiers) == 0:
        return np.zeros((len(rows), len(rows)), dtype=np.bool_)
    has = pool.own_counts[rows][:, query.identifiers] > 0
    return np.asarray((has[:, np.newaxis] & ~has[np.newaxis]).any(axis=2), dtype=np.bool_)


def _best(pool: Pool, query: QueryFeatures, relevance: Values, applies: Mask) -> _Best:
    rows = np.lexsort((np.array(pool.ids, dtype=np.str_), -relevance))
    rows = rows[applies[rows]][:_CANDIDATES]
    times, types, changes = pool.event_time[rows], pool.memory_types[rows], pool.changes[rows]
    alike, focus = _compared(pool, query, rows)
    alike = np.where(times > times[:, np.newaxis], alike, -np.inf)
    is_event = (types == _EPISODIC)[:, np.newaxis]
    said = np.array([pool.sessions[row] is not None for row in rows], dtype=np.bool_)
    succession = (
        alike
        + _NEAREST_NEWER * (alike >= alike.max(axis=1, keepdims=True))
        + _NEAREST_OLDER * (alike >= alike.max(axis=0, keepdims=True))
        + _CHANGE * changes
        + _SAME_TYPE * (types == types[:, np.newaxis])
        + _EVENT * is_event
    )
    return _Best(
        rows=rows,
        relevance=relevance[rows],
        times=times,
        changes=changes,
        succession=np.where(is_event & said[:, np.newaxis], -np.inf, succession),
        focus=focus,
    )


def _compared(pool: Pool, query: QueryFeatures, rows: NDArray[np.int64]) -> tuple[Values, Values]:
    """Return ``(m, m)`` how alike the texts of two rows are, and their focus."""
    starts = pool.token_offsets[rows]
    lengths = np.minimum(pool.token_offsets[rows + 1] - starts, _TOKENS)
    bounds = np.cumsum(lengths) - lengths
    taken = np.repeat(starts - bounds, lengths) + np.arange(int(lengths.sum()))
    signs = signs_of(pool.token_bits[taken])
    tokens = signs / np.float32(math.sqrt(signs.shape[1]))
    best = np.maximum.reduceat(tokens @ tokens.T, bounds, axis=1)
    forth = np.add.reduceat(best, bounds, axis=0) / lengths[:, np.newaxis]
    counts = query.token_weights > 0
    weights = query.token_weights[counts]
    matches = query.tokens[counts] @ tokens.T
    focus = np.zeros((len(rows), len(rows)))
    for row, (start, length) in enumerate(zip(bounds, lengths, strict=True)):
        matched = start + matches[:, start : start + length].argmax(axis=1)
        focus[row] = weights @ best[matched] / max(float(weights.sum()), 1e-9)
    return _scaled(pool, query, rows, (forth + forth.T) / 2), _scaled(pool, query, rows, focus)


def _scaled(
    pool: Pool, query: QueryFeatures, rows: NDArray[np.int64], raw: NDArray[np.floating]
) -> Values:
    """Map likeness to the model's scale of late interaction, pairs across scripts to their own."""
    scripts = pool.scripts[rows].astype(np.int64)
    shared = (scripts[:, np.newaxis] & scripts) != 0
    is_same = shared | (scripts == 0) | (scripts == 0)[:, np.newaxis]
    same, cross = query.model.late, query.model.late_cross_script
    floor = np.where(is_same, same.floor, cross.floor)
    ceiling = np.where(is_same, same.ceiling, cross.ceiling)
    return (raw - floor) / (ceiling - floor)


_Pairs = Callable[[Pool, QueryFeatures, _Best], Iterable[tuple[int, int]]]
_PAIRS: dict[Tense, _Pairs] = {
    Tense.OPEN: _successors,
    Tense.NOW: _successors,
    Tense.ONCE: _predecessors,
    Tense.PAST: lambda _pool, _query, _best: (),
}
