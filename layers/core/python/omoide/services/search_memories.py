"""Search the memories of a namespace."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import query_terms, scripts_of
from omoide.domain.candidates import NominationRequest
from omoide.domain.errors import ModelUnavailableError
from omoide.domain.identifiers import identifier_terms
from omoide.domain.memory import Memory, Use
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.memory_view import MemoryView, view_at
from omoide.domain.model_profile import ModelProfile, Scale
from omoide.domain.principal import Principal, Right
from omoide.domain.ranking.calibration import probability
from omoide.domain.ranking.explain import Explanation
from omoide.domain.ranking.low_confidence import is_low_confidence
from omoide.domain.ranking.options import RankingProfile, SearchMode
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.ranker import Ranked, Ranker, rank
from omoide.domain.tense import tense_of
from omoide.domain.time_words import TimeWindow, asks_when, time_windows
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder, QueryEncoding, no_spans
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.memory_records import MemoryRecords
from omoide.ports.namespace_weights import NamespaceWeights
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import Accessed, UseLog
from omoide.services.addressing import address_namespace
from omoide.services.limit_requests import LimitRequests
from omoide.services.rerank import Rerank
from omoide.services.search_page import Placed, read_page
from omoide.services.search_query import SearchQuery
from omoide.services.timely_nomination import nominate_in_time

__all__ = ["SearchAnswer", "SearchMemories", "SearchQuery", "SearchResult"]

_UNIT = Scale(floor=0.0, ceiling=1.0)
_NO_MODEL = ModelProfile(
    model_id="none",
    revision="none",
    dims=0,
    max_tokens=0,
    has_token_vectors=False,
    dense=_UNIT,
    dense_cross_script=_UNIT,
    late=_UNIT,
    late_cross_script=_UNIT,
)
"""Stands in for the model while it is unavailable: nothing has vectors of its revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One memory found.

    Attributes:
        view: The memory.
        score: What results are ordered by; may exceed 1.
        relevance: 0..1.
        probability: How likely it answers the query, 0..1; None where words or ranks alone order.
        similarity: 0..1, how close the whole texts are; None without vectors.
        matched: Which arms nominated it: ``dense``, ``lexical``.
        explain: How the score came about, if asked for.
    """

    view: MemoryView
    score: float
    relevance: float
    probability: float | None
    similarity: float | None
    matched: tuple[str, ...]
    explain: Explanation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The answer to a search.

    Attributes:
        namespace: Where it searched.
        results: Best first.
        low_confidence: Nothing found is likely to answer the query.
        filtered_count: Results that ``min_score`` removed.
        degraded: The embedding model was unavailable, or not everything was looked at.
        took_ms: Milliseconds the search took; 0 where nobody looked at the clock.
        information: How much the query says: the sum of the weights of its tokens.
    """

    namespace: str
    results: tuple[SearchResult, ...]
    low_confidence: bool
    filtered_count: int
    degraded: bool
    took_ms: float = 0.0
    information: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Encoded:
    """A query under a model; without an encoding where the model is unavailable or not asked."""

    model: ModelProfile
    encoding: QueryEncoding | None
    is_degraded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMemories:
    """Searches: engines nominate, the domain ranks, the records have the last word.

    Attributes:
        stopwatch: Seconds from any origin, never running backwards.
        ranker: Orders what the index nominates.
        weights: Namespaces with weights of their own; None where none has.
        rerank: Has the best read again; None where no reranker is set.
    """

    records: MemoryRecords
    index: MemoryIndex
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock
    stopwatch: Callable[[], float] = time.perf_counter
    ranker: Ranker = rank
    weights: NamespaceWeights | None = None
    rerank: Rerank | None = None

    def __call__(self, principal: Principal, query: SearchQuery) -> SearchAnswer:
        """Find the memories that matter for a query.

        Results are as the records are now: what was deleted, or no longer satisfies the filter,
        gives way to the next in the ranking. Each result counts as recalled.

        Raises:
            InvalidRequestError: A field is wrong; named in the details.
            ForbiddenError: The principal may not read the namespace.
            RateLimitedError: Too many searches.
            UnavailableError: The index or the records cannot be reached.
        """
        started = self.stopwatch()
        place = address_namespace(principal, query.namespace, Right.READ)
        self.limit(principal, RequestKind.SEARCH)
        query.check()
        now = self.clock.now()
        answer = self.find(place, query, now)
        if answer.results:
            ids = [result.view.memory.id for result in answer.results]
            self.uses.record(recall_of(principal, query, place, ids, now))
        return replace(answer, took_ms=(self.stopwatch() - started) * 1000)

    def find(self, place: str, query: SearchQuery, now: datetime) -> SearchAnswer:
        """Find without counting: for those who ask more of the results than their order.

        Args:
            place: A canonical namespace that the caller may read.
            query: The search, checked.
            now: Aware time.

        Raises:
            UnavailableError: The index or the records cannot be reached.
        """
        instant = query.instant(now)
        where = query.conditions(instant, now)
        encoded = self._encode(query, place)
        request = _request(query, place, where, encoded)
        windows = time_windows(query.query, now=instant, zone=query.zone)
        pool = nominate_in_time(self.index, request, windows)
        used = self.uses.get_many(place, pool.ids) if pool.ids else {}
        features = _features(query, encoded, request, instant, windows)
        ranked = self.ranker(pool, features, query.options(_mode(query, encoded)), used)
        is_read = True
        if self.rerank is not None:
            ranked, is_read = self.rerank(ranked, place, query.query)
        page = read_page(self.records, ranked, place, where, query.top_k)
        kept = [p for p in page if query.min_score is None or p.score >= query.min_score]
        seen = _Seen(used=used, instant=instant, judged_at=where.now)
        chances = probability(ranked)
        results = tuple(_result(ranked, chances, p, seen, query.explain) for p in kept)
        return SearchAnswer(
            namespace=place,
            results=results,
            low_confidence=is_low_confidence(ranked),
            filtered_count=len(page) - len(kept),
            degraded=encoded.is_degraded or not pool.is_complete or not is_read,
            information=float(features.token_weights.sum()),
        )

    def _encode(self, query: SearchQuery, place: str) -> _Encoded:
        try:
            model = self.embedder.profile
            if self.weights is not None:
                model = replace(model, weights=self.weights.of(place, model.weights))
            is_lexical = query.mode is SearchMode.LEXICAL
            encoding = None if is_lexical else self.embedder.embed_query(query.query)
        except ModelUnavailableError:
            return _Encoded(model=_NO_MODEL, encoding=None, is_degraded=True)
        return _Encoded(model=model, encoding=encoding)


def recall_of(
    principal: Principal, query: SearchQuery, place: str, memory_ids: Sequence[str], now: datetime
) -> Accessed:
    """The account of memories that were returned to an agent."""
    return Accessed(
        namespace=place,
        memory_ids=tuple(memory_ids),
        session=query.session or query.where.session_id or principal.key_id,
        at=now,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """How results are looked at: with their use, as of an instant, their status by the clock."""

    used: Mapping[str, Use]
    instant: datetime
    judged_at: datetime | None

    def view(self, memory: Memory) -> MemoryView:
        use = self.used.get(memory.id)
        return view_at(memory, use, self.instant, judged_at=self.judged_at)


def _mode(query: SearchQuery, encoded: _Encoded) -> SearchMode:
    """The mode asked for, or lexical when the query has no vector."""
    has_vector = encoded.encoding is not None and encoded.encoding.vector is not None
    return query.mode if has_vector else SearchMode.LEXICAL


def _request(
    query: SearchQuery, place: str, where: MemoryFilter, encoded: _Encoded
) -> NominationRequest:
    mode = _mode(query, encoded)
    terms = query_terms(query.query)
    return NominationRequest(
        namespace=place,
        where=where,
        vector=None if encoded.encoding is None else encoded.encoding.vector,
        terms=terms[:0] if mode is SearchMode.SEMANTIC else terms,
        pool=query.pool,
        newest=query.top_k if query.profile is RankingProfile.ALPHA else 0,
        neighbours=mode is not SearchMode.LEXICAL,
        revision=encoded.model.revision,
    )


def _features(
    query: SearchQuery,
    encoded: _Encoded,
    request: NominationRequest,
    instant: datetime,
    windows: tuple[TimeWindow, ...],
) -> QueryFeatures:
    encoding = encoded.encoding
    nothing = np.zeros((0, encoded.model.dims), dtype=np.float32)
    return QueryFeatures(
        text=query.query,
        terms=request.terms,
        tokens=nothing if encoding is None else encoding.tokens,
        token_weights=nothing.sum(axis=1) if encoding is None else encoding.weights,
        scripts=scripts_of(query.query),
        model=encoded.model,
        now=instant,
        tense=tense_of(query.query),
        encoded_text="" if encoding is None else encoding.text,
        token_spans=no_spans() if encoding is None else encoding.spans,
        windows=windows,
        asks_when=asks_when(query.query),
        identifiers=np.isin(request.terms, identifier_terms(query.query, windows)),
    )


def _result(
    ranked: Ranked,
    chances: NDArray[np.float64] | None,
    placed: Placed,
    seen: _Seen,
    is_explained: bool,
) -> SearchResult:
    pool, row, memory = ranked.pool, placed.row, placed.memory
    similarity = float(ranked.similarity[row])
    arms = {"dense": pool.by_dense[row], "lexical": pool.by_lexical[row]}
    return SearchResult(
        view=seen.view(memory),
        score=placed.score,
        relevance=float(ranked.relevance.values[row]),
        probability=None if chances is None else float(chances[row]),
        similarity=None if np.isnan(similarity) else min(1.0, max(0.0, similarity)),
        matched=tuple(arm for arm, has_nominated in arms.items() if has_nominated),
        explain=ranked.explain(row) if is_explained else None,
    )
