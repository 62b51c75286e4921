"""A second opinion on the best: what a model says that reads query and memory together."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omoide.domain.ranking.ranker import Ranked, ranked_by
from omoide.domain.ranking.relevance import WeightedPart
from omoide.domain.ranking.stage import Part


def reranked(
    ranked: Ranked, rows: NDArray[np.int64], scores: NDArray[np.float64], weight: float
) -> Ranked:
    """Return the ranking with ``relevance + weight * (score - relevance)`` for some rows.

    Args:
        ranked: The ranking so far.
        rows: ``(m,)`` rows that were read again.
        scores: ``(m,)`` what was said of them, 0..1.
        weight: Share of the second opinion, 0..1.
    """
    relevance = ranked.relevance
    values = np.zeros(len(ranked.pool.ids))
    applies = np.zeros(len(ranked.pool.ids), dtype=np.bool_)
    values[rows] = scores
    applies[rows] = True
    blended = relevance.unclipped + weight * (values - relevance.unclipped)
    part = WeightedPart(
        name="reranker", weight=weight, part=Part(values=values, applies=applies), is_extra=True
    )
    changed = replace(
        relevance,
        unclipped=np.where(applies, blended, relevance.unclipped),
        parts=(*relevance.parts, part),
    )
    return ranked_by(changed, ranked.prepared)
