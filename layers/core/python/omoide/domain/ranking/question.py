"""Questions answer nothing: a memory that is itself a question steps back."""

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values


def is_question(pool: Pool, _query: QueryFeatures, _match: Values) -> Part:
    """Score 1 what ends in a question mark."""
    return Part(
        values=pool.is_question.astype(np.float64),
        applies=np.ones(len(pool.ids), dtype=np.bool_),
    )
