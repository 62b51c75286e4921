"""Similarity of the whole texts: cosine of query and best chunk, on the model's scale."""

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import scaled, shares_script
from omoide.domain.ranking.stage import Part, Values


def dense_similarity(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score a pool by `sim`."""
    applies = ~np.isnan(pool.dense)
    model = query.model
    values = scaled(pool.dense, model.dense, model.dense_cross_script, shares_script(pool, query))
    return Part(values=np.where(applies, values, 0.0), applies=applies)
