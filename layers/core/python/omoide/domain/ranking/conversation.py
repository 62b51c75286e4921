"""The conversation around a memory: the turns before and after it, the session it belongs to."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Mask, Part, Values

_MAXIMUM_GAP = 2
"""Turns further apart are no neighbours: an agent may store every second turn, its user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A pool in the order of its conversations.

    Attributes:
        rows: ``(m,)`` members with a session, by session, then turn.
        sessions: ``(m,)`` session numbers, ascending.
        is_next: ``(m - 1,)`` whether the next of two is the turn after the first.
    """

    rows: NDArray[np.int64]
    sessions: NDArray[np.int64]
    is_next: Mask


@lru_cache(maxsize=4)
def order_of(pool: Pool) -> Order:
    """Return the order of a pool's conversations; several stages ask for the same."""
    numbers: dict[str, int] = {}
    sessions = np.array(
        [-1 if s is None else numbers.setdefault(s, len(numbers)) for s in pool.sessions],
        dtype=np.int64,
    )
    rows = np.lexsort((pool.turns, sessions))
    rows = rows[sessions[rows] >= 0]
    ordered, turns = sessions[rows], pool.turns[rows]
    gap = np.diff(turns)
    is_next = (np.diff(ordered) == 0) & (turns[:-1] >= 0) & (gap > 0) & (gap <= _MAXIMUM_GAP)
    return Order(rows=rows, sessions=ordered, is_next=is_next)


def previous_question(pool: Pool, _query: QueryFeatures, match: Values) -> Part:
    """Score the match of the turn before, if it asked something: this turn may be the answer."""
    order = order_of(pool)
    values = np.zeros(len(pool.ids))
    before, after = order.rows[:-1][order.is_next], order.rows[1:][order.is_next]
    values[after] = np.where(pool.asks[before], match[before], 0.0)
    return Part(values=values, applies=has_turn(pool))


def next_turn(pool: Pool, _query: QueryFeatures, match: Values) -> Part:
    """Score the match of the turn after: it may speak of what this turn brought up."""
    order = order_of(pool)
    values = np.zeros(len(pool.ids))
    before, after = order.rows[:-1][order.is_next], order.rows[1:][order.is_next]
    values[before] = match[after]
    return Part(values=values, applies=has_turn(pool))


def best_of_session(pool: Pool, _query: QueryFeatures, match: Values) -> Part:
    """Score the best match of the session: the conversation may be the right one."""
    order = order_of(pool)
    values = np.zeros(len(pool.ids))
    applies = np.zeros(len(pool.ids), dtype=np.bool_)
    if len(order.rows):
        starts = np.flatnonzero(np.diff(order.sessions, prepend=-1))
        best = np.maximum.reduceat(match[order.rows], starts)
        values[order.rows] = best[order.sessions]
        applies[order.rows] = True
    return Part(values=values, applies=applies)


def has_turn(pool: Pool) -> Mask:
    """Return ``(n,)`` which members have a place in a session."""
    with_session = np.array([s is not None for s in pool.sessions], dtype=np.bool_)
    return with_session & (pool.turns >= 0)
