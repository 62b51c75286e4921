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
class WordMatches:
    """Which word pieces of a query are found how well in each memory of a pool.

    Attributes:
        best: ``(n, m)`` float32, for each piece the best cosine among those of the memory.
        weights: ``(m,)`` float32 positive weights of the pieces.
        held: ``(n,)`` bool, whether the memory has token vectors.
    """

    best: NDArray[np.float32]
    weights: NDArray[np.float32]
    held: Mask


WordScore = Callable[[Pool, QueryFeatures, WordMatches], Part]
"""The function of a stage that looks at single words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedStage:
    """One named part of relevance.

    Attributes:
        name: Its name in ``explain`` and in the tables of docs/ranking.md.
        weight: Its weight, taken from the model's weights.
        text_match: Its share in the match of the text itself, from which the parts that look at
            the surroundings of a memory are made; 0 for those parts.
        is_extra: Whether it adds to the mean, or takes from it, without being part of the
            denominator: its absence is no fault.
    """

    name: str
    weight: Callable[[RankingWeights], float]
    text_match: float = 0.0
    is_extra: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(NamedStage):
    """A part that looks at memories as wholes.

    Attributes:
        score: Its function.
    """

    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class WordStage(NamedStage):
    """A part that looks at single words of the query.

    Attributes:
        score: Its function.
    """

    score: WordScore
