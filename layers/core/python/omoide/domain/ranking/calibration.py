"""How likely a result answers the query: a share of right ones, comparable across languages.

Relevance orders results and means the same in every query, but not how often it is right: across
scripts the same relevance is right more often. A logistic regression over relevance, how far the
result stands behind the best, how far the best stands out, and whether scripts are shared turns it
into a probability (Platt 1999). Fitted by `infra.local.evaluation.calibration` on labelled
questions; its reliability is told in docs/ranking.md.
"""

import numpy as np
from numpy.typing import NDArray

from omoide.domain.ranking.ranker import Ranked
from omoide.domain.ranking.scale import shares_script
from omoide.domain.ranking.stage import Values

PROBABILITY_FEATURES = ("relevance", "behind", "lead", "across", "is_best")
_WEIGHTS = np.array([0.33, -10.14, 6.16, 0.25, 1.98])
_BIAS = -3.22
_BEHIND = 5


def probability_features(ranked: Ranked) -> NDArray[np.float64]:
    """Return ``(n, 5)`` relevance, distance behind the best, its lead, across scripts, the best."""
    relevance = ranked.relevance.unclipped
    ordered = np.sort(relevance)[::-1]
    lead = ordered[:1].sum() - ordered[1 : 1 + _BEHIND].sum() / _BEHIND
    is_best = np.zeros(len(relevance))
    is_best[ranked.order[:1]] = 1.0
    return np.column_stack(
        (
            relevance,
            np.maximum(0.0, ordered[:1].sum() - relevance),
            np.full(len(relevance), lead),
            (~shares_script(ranked.pool, ranked.query)).astype(np.float64),
            is_best,
        )
    )


def probability(ranked: Ranked) -> Values | None:
    """Return ``(n,)`` how likely each memory of a pool answers the query, 0..1.

    None where the ranking goes by words alone or by ranks: it was not fitted to those.
    """
    if not ranked.relevance.is_absolute or "late" not in {p.name for p in ranked.relevance.parts}:
        return None
    if not len(ranked.pool.ids):
        return np.zeros(0)
    odds = probability_features(ranked) @ _WEIGHTS + _BIAS
    return 1 / (1 + np.exp(-odds))
