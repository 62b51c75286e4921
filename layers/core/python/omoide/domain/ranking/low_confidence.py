"""Telling that nothing found is likely to answer the query.

Two logistic regressions over the features of the answer, one for questions on another topic, one
for questions on a known topic whose answer was never stored. Weights and limits are fitted by
`infra.local.evaluation.confidence` on labelled questions; how often they are right is told in
docs/ranking.md. Where the ranking has no word vectors the best match alone is looked at.
"""

from dataclasses import dataclass

import numpy as np

from omoide.domain.ranking.confidence_features import ConfidenceFeatures, confidence_features
from omoide.domain.ranking.ranker import Ranked

LOW_RELEVANCE = 0.12
"""Best relevance below which an answer is unlikely, where there are no word vectors."""

OFF_TOPIC_FEATURES = ("relevance", "late", "found", "lead")
NOT_STORED_FEATURES = (
    "found",
    "lead",
    "spread",
    "word_spread",
    "contrast",
    "across",
    "facts",
    "words",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """A fitted regression.

    Attributes:
        weights: By name of the feature.
        limit: What the weighted sum must exceed.
    """

    weights: dict[str, float]
    limit: float

    def score(self, features: ConfidenceFeatures) -> float:
        """The weighted sum of the features, less the limit: above 0 is found."""
        total = sum(weight * getattr(features, name) for name, weight in self.weights.items())
        return float(total) - self.limit


OFF_TOPIC = Detector(
    weights={"relevance": 0.82, "late": -2.97, "found": -3.74, "lead": -7.57}, limit=-1.81
)
NOT_STORED = Detector(
    weights={
        "found": 4.00,
        "lead": -4.05,
        "spread": 13.21,
        "word_spread": 6.63,
        "contrast": 1.37,
        "across": -3.13,
        "facts": 1.22,
        "words": -0.55,
    },
    limit=3.64,
)


def is_low_confidence(ranked: Ranked) -> bool:
    """Whether nothing in the pool is likely to answer the query, or nothing was found."""
    features = confidence_features(ranked) if ranked.relevance.is_absolute else None
    if features is not None:
        return OFF_TOPIC.score(features) > 0 or NOT_STORED.score(features) > 0
    relevance = ranked.relevance
    evidence = relevance.unclipped if relevance.is_absolute else ranked.similarity
    known = evidence[~np.isnan(evidence)]
    return not len(known) or bool(known.max() < LOW_RELEVANCE)
