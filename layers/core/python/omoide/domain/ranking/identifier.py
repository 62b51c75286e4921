"""Codes and numbers: an identifier in the query is meant to the letter."""

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values


def identifiers_held(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score the share of the query's identifiers that a memory holds."""
    count = int(query.identifiers.sum())
    if not count:
        nothing = np.zeros(len(pool.ids))
        return Part(values=nothing, applies=nothing.astype(np.bool_))
    held = (pool.own_counts[:, query.identifiers] > 0).sum(axis=1)
    return Part(values=held / count, applies=np.ones(len(pool.ids), dtype=np.bool_))
