"""Newest truth: of two memories that say the same of the same thing, the newer one leads.

"The rent is 128,000 yen" and "The rent was raised to 135,000 yen" answer the same question, and the
older text often answers it in the better words. So a newer memory that reads like a successor of
one of the best takes over its relevance and a little more. What speaks for a successor is how alike
both texts are, word by word (late interaction in both directions, on the model's scale), that it
tells of a change and that the question asks for what holds now; what speaks against it is how much
worse it matches the query. A question about the past, or about a time, leaves the order alone, and
so does an identifier in the query that only the older memory has.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import term_key, terms_of
from omoide.domain.candidates import Pool
from omoide.domain.memory import MemoryType
from omoide.domain.ranking.late_interaction import signs_of
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Mask, Part, Values

_LEADERS = 5
"""The best memories that may be outdated."""
_FOLLOWERS = 30
"""The best memories among which their successors are looked for."""
_TOKENS = 48
"""Words of a memory that are compared; of a long text its first."""
_ENOUGH = 0.31
_CHANGE = 0.16
_NOW = 0.16
_GAP = 0.65
_MARGIN = 0.03
_EPISODIC = list(MemoryType).index(MemoryType.EPISODIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nearest:
    """The best of a pool and how alike they are.

    Attributes:
        rows: ``(m,)`` the best, best first.
        alike: ``(k, m)`` likeness of the first ``k`` of them with each, on the model's scale.
    """

    rows: NDArray[np.int64]
    alike: Values


def newer_first(pool: Pool, query: QueryFeatures, relevance: Values) -> Part:
    """Score what a successor lacks to pass the memory that it succeeds.

    Args:
        pool: The nominated memories.
        query: The query.
        relevance: ``(n,)`` unclipped relevance so far.
    """
    values = np.zeros(len(pool.ids))
    if not query.asks_past and len(pool.token_bits):
        nearest = _nearest(pool, query, relevance)
        lifted = relevance.copy()
        for old, new in _successions(pool, query, relevance, nearest):
            least = lifted[old] + _MARGIN * abs(lifted[old])
            lifted[new] = max(lifted[new], least)
        values = lifted - relevance
    return Part(values=values, applies=np.diff(pool.token_offsets) > 0)


def _successions(
    pool: Pool, query: QueryFeatures, relevance: Values, nearest: _Nearest
) -> Iterator[tuple[int, int]]:
    """Yield pairs of an outdated memory and its successor, the oldest first."""
    times = pool.event_time[nearest.rows]
    lacks = _lacks_identifier(pool, query, nearest)
    changes = _CHANGE * pool.changes[nearest.rows] + _NOW * query.asks_now
    leaders = np.arange(len(nearest.alike))
    for leader in leaders[np.argsort(times[leaders], kind="stable")]:
        old = int(nearest.rows[leader])
        likeness = np.where(times > times[leader], nearest.alike[leader], -np.inf)
        follower = int(np.argmax(likeness))
        new = int(nearest.rows[follower])
        gap = max(0.0, relevance[old] - relevance[new])
        evidence = likeness[follower] + changes[follower] - _GAP * gap
        if evidence > _ENOUGH and _is_state(pool, old) and not lacks[leader, follower]:
            yield old, new


def _is_state(pool: Pool, row: int) -> bool:
    """Whether a memory tells how things are; what was said or happened stays as it was."""
    return bool(pool.memory_types[row] != _EPISODIC) or pool.sessions[row] is None


def _lacks_identifier(pool: Pool, query: QueryFeatures, nearest: _Nearest) -> Mask:
    """Return ``(k, m)`` whether the query holds a number or code that only the first has."""
    words = {term_key(term) for term in terms_of(query.text) if any(map(str.isdigit, term))}
    is_identifier = np.array([int(term) in words for term in query.terms], dtype=np.bool_)
    has = pool.own_counts[nearest.rows][:, is_identifier] > 0
    leaders = has[: len(nearest.alike), np.newaxis, :]
    return (leaders & ~has[np.newaxis]).any(axis=2)


def _nearest(pool: Pool, query: QueryFeatures, relevance: Values) -> _Nearest:
    rows = np.lexsort((np.array(pool.ids, dtype=np.str_), -relevance))
    rows = rows[np.diff(pool.token_offsets)[rows] > 0][:_FOLLOWERS]
    starts = pool.token_offsets[rows]
    lengths = np.minimum(pool.token_offsets[rows + 1] - starts, _TOKENS)
    taken = np.concatenate([np.arange(s, s + n) for s, n in zip(starts, lengths, strict=True)])
    signs = signs_of(pool.token_bits[taken])
    tokens = signs / np.float32(math.sqrt(signs.shape[1]))
    bounds = np.cumsum([0, *lengths[:-1]])
    leaders = min(_LEADERS, len(rows))
    cosines = tokens[: int(lengths[:leaders].sum())] @ tokens.T
    forth = np.maximum.reduceat(cosines, bounds, axis=1)
    back = np.maximum.reduceat(cosines, bounds[:leaders], axis=0)
    mean_forth = np.add.reduceat(forth, bounds[:leaders], axis=0) / lengths[:leaders, np.newaxis]
    mean_back = np.add.reduceat(back, bounds, axis=1) / lengths
    raw = (mean_forth + mean_back).astype(np.float64) / 2
    return _Nearest(rows=rows, alike=_scaled(pool, query, rows, raw))


def _scaled(pool: Pool, query: QueryFeatures, rows: NDArray[np.int64], raw: Values) -> Values:
    """Map likeness to the model's scale of late interaction, pairs across scripts to their own."""
    scripts = pool.scripts[rows].astype(np.int64)
    leaders = scripts[: len(raw), np.newaxis]
    is_same = ((leaders & scripts) != 0) | (leaders == 0) | (scripts == 0)
    same, cross = query.model.late, query.model.late_cross_script
    floor = np.where(is_same, same.floor, cross.floor)
    ceiling = np.where(is_same, same.ceiling, cross.ceiling)
    return (raw - floor) / (ceiling - floor)
