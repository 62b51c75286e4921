"""Telling that nothing found is likely to answer the query.

The rule looks at the best match alone. It tells a question on another topic from one that has an
answer; it cannot tell a question on a known topic whose answer is missing. How often it is right is
measured in docs/ranking.md.
"""

import numpy as np

from omoide.domain.ranking.ranker import Ranked

LOW_RELEVANCE = 0.12
"""Best relevance below which an answer is unlikely."""


def is_low_confidence(ranked: Ranked) -> bool:
    """Whether nothing in the pool matches the query well, or nothing was found."""
    relevance = ranked.relevance
    evidence = relevance.unclipped if relevance.is_absolute else ranked.similarity
    known = evidence[~np.isnan(evidence)]
    return not len(known) or bool(known.max() < LOW_RELEVANCE)
