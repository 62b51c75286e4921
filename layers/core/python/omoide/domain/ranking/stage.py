"""The shape every stage of the score has."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.model_profile import RankingWeights
from omoide.domain.ranking.query_features import QueryFeatures

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one stage says of every memory of a pool.

    Attributes:
        values: ``(n,)`` float64; 0 is nothing, 1 is full agreement, both can be passed.
        applies: ``(n,)`` bool, whether query and memory can have this part at all.
    """

    values: Values
    applies: Mask


Score = Callable[[Pool, QueryFeatures, Values], Part]
"""A stage's function: the pool, the query, and ``(n,)`` the text match, which is all zeros for the
stages that it is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One named part of relevance.

    Attributes:
        name: Its name in ``explain`` and in the tables of docs/ranking.md.
        weight: Its weight, taken from the model's weights.
        score: Its function.
        text_match: Its share in the match of the text itself, from which the parts that look at
            the surroundings of a memory are made; 0 for those parts.
        is_extra: Whether it adds to the mean, or takes from it, without being part of the
            denominator: its absence is no fault.
    """

    name: str
    weight: Callable[[RankingWeights], float]
    score: Score
    text_match: float = 0.0
    is_extra: bool = False
