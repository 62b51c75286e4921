"""Order of events: of memories that answer about equally, the first or the last, as asked.

"When did I first visit Kyoto?" is answered by each visit's memory in much the same words; age and
newer versions speak for the last one, the question for the first.
"""

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values
from omoide.domain.time_words import Order, order_asked

_NEAR = 0.85
"""Share of the best relevance from which a memory counts as an answer."""


def event_order(pool: Pool, query: QueryFeatures, relevance: Values) -> Part:
    """Score the answers by their order in time, 1 for the one asked for, 0 for the other end.

    Args:
        pool: The nominated memories.
        query: The query.
        relevance: ``(n,)`` unclipped relevance so far.
    """
    values = np.zeros(len(pool.ids))
    order = order_asked(query.text)
    applies = np.zeros(len(pool.ids), dtype=np.bool_)
    if order is not None and len(pool.ids):
        best = float(relevance.max())
        applies = (relevance >= _NEAR * best) & (best > 0)
        ranks = np.searchsorted(np.unique(pool.event_time[applies]), pool.event_time)
        latest = max(1, int(ranks[applies].max(initial=0)))
        share = ranks / latest
        values[applies] = (1.0 - share if order is Order.FIRST else share)[applies]
    return Part(values=values, applies=applies)
