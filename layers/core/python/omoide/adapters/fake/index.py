"""A search engine in memory that computes everything from the scoring data, naively."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from omoide.adapters.fake.pool import Nominee, pool_of
from omoide.adapters.fake.state import FolderState
from omoide.domain.candidates import FieldStatistics, NominationRequest, Pool
from omoide.domain.lexical import K1, B, quantised_length
from omoide.domain.matching import matches
from omoide.domain.scoring_data import ScoringData, TermCounts


@dataclass(slots=True, kw_only=True)
class _Field:
    """One field of each record: counts of the query's terms and length."""

    counts: list[list[int]]
    lengths: list[int]

    def statistics(self, term_count: int) -> FieldStatistics:
        frequency = [float(sum(c[t] > 0 for c in self.counts)) for t in range(term_count)]
        return FieldStatistics(
            document_count=len(self.lengths),
            average_length=sum(self.lengths) / len(self.lengths) if self.lengths else 0.0,
            document_frequency=np.array(frequency, dtype=np.float64),
        )


class FakeMemoryIndex:
    """Implements `MemoryIndex` by looking at every record each time.

    Args:
        state: What the folder's adapters share.
    """

    def __init__(self, state: FolderState) -> None:
        self._state = state

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours."""
        with self._state.lock:
            self._state.require_up()
            scoring = self._state.scoring.values()
            indexed = [s for s in scoring if s.namespace == request.namespace]
        ranked = _Ranked(indexed, request)
        by_dense, by_lexical = ranked.by_dense(), ranked.by_lexical()
        chosen = by_dense | by_lexical
        if request.neighbours:
            chosen = chosen | _neighbours(indexed, ranked.members, chosen)
        chosen |= set(_newest(indexed, ranked.members)[: request.newest])
        rows = sorted(chosen)
        return pool_of(
            [
                Nominee(
                    scoring=indexed[i],
                    has_vectors=indexed[i].revision == request.revision,
                    dense=ranked.dense[i],
                    is_dense=i in by_dense,
                    is_lexical=i in by_lexical,
                    own_counts=ranked.own.counts[i],
                    context_counts=ranked.context.counts[i],
                )
                for i in rows
            ],
            request,
            own=ranked.own.statistics(len(request.terms)),
            context=ranked.context.statistics(len(request.terms)),
        )


class _Ranked:
    """Every record of the namespace with its scores of both arms."""

    def __init__(self, indexed: Sequence[ScoringData], request: NominationRequest) -> None:
        terms: list[int] = request.terms.tolist()
        self._request = request
        self.own = _Field(
            counts=[_counts([s.own_terms], terms) for s in indexed],
            lengths=[s.own_terms.length for s in indexed],
        )
        self.context = _Field(
            counts=[_counts([s.own_terms, s.context_terms], terms) for s in indexed],
            lengths=[s.own_terms.length + s.context_terms.length for s in indexed],
        )
        self.members = [i for i, s in enumerate(indexed) if matches(request.where, s)]
        self.dense = [_cosine(s, request) for s in indexed]

    def by_dense(self) -> set[int]:
        rows = [i for i in self.members if not math.isnan(self.dense[i])]
        return _best(self.dense, rows, self._request.pool)

    def by_lexical(self) -> set[int]:
        scores = _bm25(self.context, self.context.statistics(len(self._request.terms)))
        return _best(scores, [i for i in self.members if scores[i] > 0], self._request.pool)


def _counts(fields: Sequence[TermCounts], terms: Sequence[int]) -> list[int]:
    total: Counter[int] = Counter()
    for field in fields:
        total.update(dict(zip(field.keys.tolist(), field.counts.tolist(), strict=True)))
    return [min(255, total[term]) for term in terms]


def _cosine(scoring: ScoringData, request: NominationRequest) -> float:
    if request.vector is None or scoring.revision != request.revision or not len(scoring.vectors):
        return math.nan
    return float((scoring.vectors.astype(np.float32) @ request.vector).max())


def _bm25(field: _Field, statistics: FieldStatistics) -> list[float]:
    """BM25 (k1 .9, b .4; Robertson and Zaragoza 2009) as Lucene computes it."""
    count = statistics.document_count
    idf = [math.log(1 + (count - df + 0.5) / (df + 0.5)) for df in statistics.document_frequency]
    lengths = quantised_length(np.array(field.lengths, dtype=np.int64)).tolist()
    scores: list[float] = []
    for counts, length in zip(field.counts, lengths, strict=True):
        norm = K1 * (1 - B + B * length / (statistics.average_length or 1.0))
        scores.append(sum(w * tf / (tf + norm) for w, tf in zip(idf, counts, strict=True) if tf))
    return scores


def _best(scores: Sequence[float], rows: Sequence[int], count: int) -> set[int]:
    return set(sorted(rows, key=lambda i: (-scores[i], i))[:count])


def _newest(indexed: Sequence[ScoringData], members: Sequence[int]) -> list[int]:
    return sorted(members, key=lambda row: (indexed[row].event_time, row), reverse=True)


def _neighbours(
    indexed: Sequence[ScoringData], members: Sequence[int], chosen: set[int]
) -> set[int]:
    found: set[int] = set()
    for row in chosen:
        session, turn = indexed[row].session_id, indexed[row].turn
        if session is None or turn is None:
            continue
        turns = [
            (other, i)
            for i in members
            if (other := indexed[i].turn) is not None and indexed[i].session_id == session
        ]
        earlier = [t for t in turns if t[0] < turn]
        later = [t for t in turns if t[0] > turn]
        found.update(i for _, i in [*sorted(earlier)[-1:], *sorted(later)[:1]])
    return found
