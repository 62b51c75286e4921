"""Words in common: BM25 as a share of what the query could score at most.

So a stray common word stays small, and scores of different queries compare. Statistics are the
namespace's own, so another tenant's texts change nothing.
"""

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import FieldStatistics, Pool
from omoide.domain.lexical import K1, B, inverse_document_frequency, quantised_length
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import shares_script
from omoide.domain.ranking.stage import Part, Values


def lexical_share(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score the terms of a memory and of the turn before it."""
    values = share_of_possible(pool.context_counts, pool.context_lengths, pool.context)
    return Part(values=values, applies=shares_script(pool, query) & (len(query.terms) > 0))


def own_lexical_share(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score the terms of a memory alone."""
    values = share_of_possible(pool.own_counts, pool.own_lengths, pool.own)
    return Part(values=values, applies=shares_script(pool, query) & (len(query.terms) > 0))


def share_of_possible(
    counts: NDArray[np.uint8], lengths: NDArray[np.float32], statistics: FieldStatistics
) -> Values:
    """Return ``(n,)`` BM25 (Robertson and Zaragoza 2009) over its upper bound, 0..1.

    Args:
        counts: ``(n, q)`` occurrences of the query's terms.
        lengths: ``(n,)`` lengths of the texts in terms.
        statistics: Of the namespace; a term that is nowhere counts at its maximum.
    """
    idf = inverse_document_frequency(statistics.document_count, statistics.document_frequency)
    possible = float(idf.sum())
    if possible <= 0:
        return np.zeros(len(counts))
    relative = quantised_length(lengths).astype(np.float64) / max(statistics.average_length, 1e-9)
    frequency = counts.astype(np.float64)
    saturated = frequency / (frequency + (K1 * (1 - B + B * relative))[:, np.newaxis])
    return saturated @ idf / possible
