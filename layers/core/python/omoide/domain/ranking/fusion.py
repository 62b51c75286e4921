"""Reciprocal rank fusion of the two arms (Cormack, Clarke and Büttcher 2009)."""

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.ranking.lexical_share import share_of_possible
from omoide.domain.ranking.options import RankingOptions, SearchMode
from omoide.domain.ranking.relevance import Relevance, WeightedPart
from omoide.domain.ranking.stage import Mask, Part, Values

K = 60
"""How slowly the worth of a rank falls."""


def fuse_ranks(pool: Pool, options: RankingOptions) -> Relevance:
    """Return ``sum(1 / (60 + rank))`` over the arms, as a share of two first ranks.

    Args:
        pool: The nominated memories; ranks count among those that an arm nominated.
        options: Its mode leaves one arm alone.
    """
    arms = {
        "dense_rank": (np.nan_to_num(pool.dense, nan=-2.0), pool.by_dense),
        "lexical_rank": (_lexical(pool), pool.by_lexical),
    }
    if options.mode is SearchMode.SEMANTIC:
        del arms["lexical_rank"]
    if options.mode is SearchMode.LEXICAL:
        del arms["dense_rank"]
    parts = tuple(
        WeightedPart(name=name, weight=1.0, part=_reciprocal(scores, nominated))
        for name, (scores, nominated) in arms.items()
    )
    total = np.sum([p.part.values for p in parts], axis=0) / len(parts)
    return Relevance(unclipped=total, parts=parts, is_absolute=False)


def _lexical(pool: Pool) -> Values:
    return share_of_possible(pool.context_counts, pool.context_lengths, pool.context)


def _reciprocal(scores: NDArray[np.floating], nominated: Mask) -> Part:
    values = np.zeros(len(scores))
    rows = np.flatnonzero(nominated)
    order = rows[np.argsort(-scores[rows], kind="stable")]
    values[order] = (K + 1) / (K + 1 + np.arange(len(order)))
    return Part(values=values, applies=np.ones(len(scores), dtype=np.bool_))
