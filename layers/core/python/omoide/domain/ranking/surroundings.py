"""What a stretch of conversation says together: words found in the turns around, or in the session.

A turn answers together with what was said around it: "Yeah, glad to be part of it!" is about the
festival that was named two turns before. So each word of the query may be found in any turn nearby
(in the session) instead of all of them in one text: late interaction and words in common over a
stretch as if it were one text.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.lexical import inverse_document_frequency
from omoide.domain.ranking.conversation import Order, has_turn, order_of
from omoide.domain.ranking.late_interaction import share_of_words
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import shares_script
from omoide.domain.ranking.stage import Mask, Part, Values, WordMatches

REACH = 2
"""How many turns before and after a turn are near it."""


def words_nearby(pool: Pool, query: QueryFeatures, words: WordMatches) -> Part:
    """Score late interaction with a memory and the turns near it."""
    best = words.best.copy()
    for rows, near in _pairs(pool):
        best[rows] = np.maximum(best[rows], words.best[near])
    part = share_of_words(best, pool, query, words)
    return Part(values=part.values, applies=part.applies & has_turn(pool))


def words_of_session(pool: Pool, query: QueryFeatures, words: WordMatches) -> Part:
    """Score late interaction with the whole session, as far as it is in the pool."""
    order = order_of(pool)
    best = words.best.copy()
    starts = _session_starts(order)
    if len(starts):
        together = np.maximum.reduceat(words.best[order.rows], starts, axis=0)
        best[order.rows] = together[order.sessions]
    part = share_of_words(best, pool, query, words)
    return Part(values=part.values, applies=part.applies & _has_session(pool))


def terms_nearby(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score the share of the query's terms, by rarity, in a memory and the turns near it."""
    statistics = pool.own
    idf = inverse_document_frequency(statistics.document_count, statistics.document_frequency)
    possible = float(idf.sum())
    applies = shares_script(pool, query) & has_turn(pool)
    if possible <= 0:
        return Part(values=np.zeros(len(pool.ids)), applies=applies)
    own = pool.own_counts > 0
    found = own.copy()
    for rows, near in _pairs(pool):
        found[rows] |= own[near]
    return Part(values=found @ idf / possible, applies=applies)


def _pairs(pool: Pool) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield distinct rows and, for each, one that is near it."""
    order = order_of(pool)
    turns = pool.turns[order.rows]
    for step in range(1, len(order.rows)):
        first, last = order.rows[:-step], order.rows[step:]
        is_near = (order.sessions[:-step] == order.sessions[step:]) & (turns[:-step] >= 0)
        is_near &= turns[step:] - turns[:-step] <= REACH
        if not is_near.any():
            return
        yield first[is_near], last[is_near]
        yield last[is_near], first[is_near]


def _session_starts(order: Order) -> NDArray[np.int64]:
    return np.flatnonzero(np.diff(order.sessions, prepend=-1)).astype(np.int64)


def _has_session(pool: Pool) -> Mask:
    return np.array([s is not None for s in pool.sessions], dtype=np.bool_)
