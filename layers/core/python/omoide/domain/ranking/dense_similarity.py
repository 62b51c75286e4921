"""Similarity of the whole texts: cosine of query and best chunk, on the model's scale."""

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import scaled, shares_script
from omoide.domain.ranking.stage import Part, Values

_LEAST = -0.1
"""What a memory outside a session scores at least."""


def dense_match(pool: Pool, query: QueryFeatures, match: Values) -> Part:
    """Score a pool by `sim`; of memories outside a session not far below the floor.

    Below the floor texts are unrelated, whatever the distance. A turn has its surroundings to make
    up for that, a memory alone has not.
    """
    part = dense_similarity(pool, query, match)
    is_alone = np.array([session is None for session in pool.sessions], dtype=np.bool_)
    least = np.where(part.applies & is_alone, _LEAST, -np.inf)
    return Part(values=np.maximum(part.values, least), applies=part.applies)


def dense_similarity(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score a pool by `sim`."""
    applies = ~np.isnan(pool.dense)
    model = query.model
    values = scaled(pool.dense, model.dense, model.dense_cross_script, shares_script(pool, query))
    return Part(values=np.where(applies, values, 0.0), applies=applies)
