"""What speaks for one memory telling a later state of the same thing than another.

How alike both texts are, that neither is closer to another candidate of that direction in time,
that the newer tells of a change, and that both are memories of one kind. What happened or was said
in a session stays true, so it is never succeeded. The weights are those of a logistic regression,
rounded (docs/ranking.md).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.memory import MemoryType
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Mask, Values
from omoide.domain.ranking.word_likeness import Texts, alike, alike_and_focus, texts_of
from omoide.domain.time_words import closeness_of_all

_LEADERS = 5
"""The best memories that may be passed."""
_CANDIDATES = 20
"""The best memories among which others are looked for."""

_NEAREST_NEWER = 0.35
_NEAREST_OLDER = 0.4
_CHANGE = 0.4
_SAME_TYPE = 0.5
_EVENT = -0.5
_FOCUS = 0.2
_GAP = -0.4
_ENOUGH = 1.75
_ROUNDING = 1e-6
_EPISODIC = list(MemoryType).index(MemoryType.EPISODIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best of a pool, best first; the first ``k`` of them are the leaders.

    Attributes:
        rows: ``(m,)`` rows of the pool.
        times: ``(m,)`` event times, milliseconds.
        changes: ``(m,)`` whether they tell of a change.
        is_event: ``(m,)`` whether they tell what happened.
        is_said: ``(m,)`` whether that was in a session.
        texts: What they say.
        alike: ``(k, m)`` how alike a leader and another are.
        rest: ``(k, m)`` what else speaks for the second passing the leader; minus infinity where
            the query names what only the leader has.
    """

    rows: NDArray[np.int64]
    times: NDArray[np.int64]
    changes: Mask
    is_event: Mask
    is_said: Mask
    texts: Texts
    alike: Values
    rest: Values

    @property
    def leaders(self) -> int:
        """``k``."""
        return len(self.alike)


def best_of(pool: Pool, query: QueryFeatures, relevance: Values) -> Best:
    """Return the best of those with word vectors, at least one."""
    rows = np.lexsort((np.array(pool.ids, dtype=np.str_), -relevance))
    rows = rows[np.diff(pool.token_offsets)[rows] > 0][:_CANDIDATES]
    count = min(_LEADERS, len(rows))
    texts = texts_of(pool, rows, query.model)
    likeness, focus = alike_and_focus(texts, count, query)
    times, types, worth = pool.event_time[rows], pool.memory_types[rows], relevance[rows]
    rest = (
        _SAME_TYPE * (types == types[:count, np.newaxis])
        + _FOCUS * focus
        + _GAP * np.maximum(0.0, worth[:count, np.newaxis] - worth)
    )
    keeps = _lacks_identifier(pool, query, rows) | _is_further_in_time(query, times)
    is_event = types == _EPISODIC
    return Best(
        rows=rows,
        times=times,
        changes=pool.changes[rows],
        is_event=is_event,
        is_said=is_event & np.array([pool.sessions[row] is not None for row in rows]),
        texts=texts,
        alike=likeness,
        rest=np.where(keeps[:count], -np.inf, rest),
    )


def succeeded(best: Best, says: NDArray[np.floating] | float) -> Mask:
    """Return ``(k, m)`` whether the second succeeds the leader.

    Args:
        best: The best of a pool.
        says: Broadcast to ``(k, m)``, what else speaks for it.
    """
    leaders = slice(best.leaders)
    older = np.where(best.is_said, -np.inf, _EVENT * best.is_event)[leaders, np.newaxis]
    evidence = best.rest + best.alike + says + older + _CHANGE * best.changes
    return _is_enough(best, evidence, is_newer=True)


def preceded(best: Best, says: NDArray[np.floating] | float) -> Mask:
    """Return ``(k, m)`` whether the leader succeeds the second; see `succeeded`."""
    older = np.where(best.is_said, -np.inf, _EVENT * best.is_event)
    changes = best.changes[: best.leaders, np.newaxis]
    evidence = best.rest + best.alike + says + older + _CHANGE * changes
    return _is_enough(best, evidence, is_newer=False)


def _is_enough(best: Best, evidence: Values, *, is_newer: bool) -> Mask:
    """Return ``(k, m)`` whether the evidence suffices, with what being nearest adds to it.

    Args:
        best: The best of a pool.
        evidence: ``(k, m)``.
        is_newer: Whether the second is to be the newer one.
    """
    sign = 1 if is_newer else -1
    times = sign * best.times
    is_beyond = times > times[: best.leaders, np.newaxis]
    closeness = np.where(is_beyond, best.alike, -np.inf)
    is_nearest = closeness >= closeness.max(axis=1, keepdims=True)
    own, other = (_NEAREST_NEWER, _NEAREST_OLDER)[::sign]
    among = _among(is_beyond.sum(axis=1))[:, np.newaxis]
    evidence = np.where(is_beyond, evidence + own * among * is_nearest, -np.inf)
    is_enough = evidence > _ENOUGH
    is_doubtful = (evidence > _ENOUGH - other) & ~is_enough
    seconds = np.flatnonzero(is_doubtful.any(axis=0))
    if len(seconds):
        is_rival = times < times[seconds, np.newaxis]
        rivals = np.where(is_rival, alike(best.texts, seconds), -np.inf)
        is_unrivalled = best.alike[:, seconds] >= rivals.max(axis=1) - _ROUNDING
        adds = other * _among(is_rival.sum(axis=1)) * is_unrivalled
        is_enough[:, seconds] |= evidence[:, seconds] + adds > _ENOUGH
    return is_enough


def _among(count: NDArray[np.int64]) -> Values:
    """Return how much it means to be the nearest of so many: little of one, all of four or more."""
    return np.minimum(1.0, (1 + count) / 5)


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
