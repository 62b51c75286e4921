"""Similarity on the model's own scale."""

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.model_profile import Scale
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Mask, Values


def shares_script(pool: Pool, query: QueryFeatures) -> Mask:
    """Return ``(n,)`` whether memory and query have a script in common; yes where one has none."""
    scripts = pool.scripts.astype(np.int64)
    return ((scripts & int(query.scripts)) != 0) | (scripts == 0) | (int(query.scripts) == 0)


def scaled(raw: NDArray[np.floating], same: Scale, cross: Scale, is_same_script: Mask) -> Values:
    """Map floor to 0 and ceiling to 1, unclipped.

    Pairs across scripts have a floor of their own and the ceiling of all pairs: with a ceiling of
    their own, steeper, they would pass better matches in the language of the query.
    """
    values = np.asarray(raw, dtype=np.float64)
    floor = np.where(is_same_script, same.floor, cross.floor)
    return (values - floor) / (same.ceiling - floor)
