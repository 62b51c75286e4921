"""The two arms: exact cosine over vectors and BM25 over terms."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import FieldStatistics
from omoide.domain.lexical import K1, B, inverse_document_frequency, quantised_length
from omoide.engine.best import best_rows
from omoide.engine.dots import dots
from omoide.engine.filters import Mask
from omoide.engine.part import LivePart, Part
from omoide.engine.postings import Posting

_FEW_SHARE = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Rows of one part with a score, in no order.

    Attributes:
        rows: ``(n,)`` int64.
        scores: ``(n,)`` float32.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float32]

    def best(self, count: int) -> "Scored":
        """The ``count`` best of them."""
        places = best_rows(self.scores, count)
        return Scored(rows=self.rows[places], scores=self.scores[places])


def dense_arm(part: Part, query: NDArray[np.float32], mask: Mask | None, count: int) -> Scored:
    """Return the ``count`` rows whose best vector is nearest to the query.

    Args:
        part: The rows.
        query: ``(dims,)``, L2-normalised.
        mask: The rows allowed; None for all.
        count: How many.
    """
    rows = part.vector_rows
    if mask is None:
        return _best_chunks(rows, dots(query, part.vectors)).best(count)
    allowed = mask if part.summary.has_one_vector_each else mask[rows]
    places = np.flatnonzero(allowed)
    if len(places) < len(rows) * _FEW_SHARE:
        return _best_chunks(rows[places], dots(query, np.take(part.vectors, places, axis=0))).best(
            count
        )
    return _best_chunks(rows[places], dots(query, part.vectors)[places]).best(count)


def _best_chunks(rows: NDArray[np.int64], scores: NDArray[np.float32]) -> Scored:
    """Keep the best score of each row; rows are ascending."""
    is_first = np.ones(len(rows), dtype=np.bool_)
    is_first[1:] = rows[1:] != rows[:-1]
    if is_first.all():
        return Scored(rows=rows, scores=scores)
    firsts = np.flatnonzero(is_first)
    return Scored(rows=rows[firsts], scores=np.maximum.reduceat(scores, firsts))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceStatistics:
    """BM25 statistics of both fields over all parts."""

    own: FieldStatistics
    context: FieldStatistics


def statistics_of(
    parts: Sequence[LivePart], postings: Sequence[Sequence[Posting | None]], term_count: int
) -> NamespaceStatistics:
    """Count live rows: dead ones leave the statistics at once.

    Args:
        parts: All parts of the namespace.
        postings: For each part the posting of each query term.
        term_count: Number of query terms.
    """
    count = sum(live.live_count for live in parts)
    frequency = np.zeros((2, term_count), dtype=np.float64)
    for live, found in zip(parts, postings, strict=True):
        for term, posting in enumerate(found):
            if posting is None:
                continue
            own = posting.own > 0
            if live.alive is None:
                frequency[0, term] += np.count_nonzero(own)
                frequency[1, term] += len(own)
            else:
                alive = live.alive[posting.rows]
                frequency[0, term] += np.count_nonzero(own & alive)
                frequency[1, term] += np.count_nonzero(alive)

    def statistics(total: int, document_frequency: NDArray[np.float64]) -> FieldStatistics:
        return FieldStatistics(
            document_count=count,
            average_length=total / count if count else 0.0,
            document_frequency=document_frequency,
        )

    return NamespaceStatistics(
        own=statistics(sum(live.own_total for live in parts), frequency[0]),
        context=statistics(sum(live.context_total for live in parts), frequency[1]),
    )


def lexical_arm(
    part: Part,
    postings: Sequence[Posting | None],
    statistics: FieldStatistics,
    mask: Mask | None,
    count: int,
) -> Scored:
    """Return the ``count`` rows with the greatest BM25 over own and previous terms.

    ``sum idf * tf / (tf + k1 * (1 - b + b * length / average))``, k1 .9, b .4 (Robertson and
    Zaragoza 2009), lengths as Lucene rounds them. Rows without any query term are left out.
    """
    weights = inverse_document_frequency(
        statistics.document_count, statistics.document_frequency
    ).astype(np.float32)
    scores = np.zeros(part.row_count, dtype=np.float32)
    average = statistics.average_length or 1.0
    for posting, weight in zip(postings, weights, strict=True):
        if posting is None:
            continue
        lengths = quantised_length(part.columns.context_length[posting.rows])
        norms = np.float32(K1 * (1 - B)) + np.float32(K1 * B / average) * lengths
        frequency = posting.context.astype(np.float32)
        scores[posting.rows] += weight * frequency / (frequency + norms)
    if mask is not None:
        scores *= mask
    rows = np.flatnonzero(scores)
    return Scored(rows=rows, scores=scores[rows]).best(count)
