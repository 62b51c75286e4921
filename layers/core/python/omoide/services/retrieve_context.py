"""Retrieve what matters for a query as a text within a budget of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.domain.context_assembly.assembly import Assembled, assemble
from omoide.domain.context_assembly.cascade import CascadeStage
from omoide.domain.context_assembly.tiers import Assembler, Candidate, Shown
from omoide.domain.context_assembly.token_target import TOKEN_FACTORS
from omoide.domain.principal import Principal, Right
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.keys import KeyStore
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import UseLog
from omoide.services.addressing import address_namespace
from omoide.services.context_query import ContextQuery
from omoide.services.limit_requests import LimitRequests
from omoide.services.search_memories import (
    SearchAnswer,
    SearchMemories,
    SearchResult,
    recall_of,
)
from omoide.services.token_meter import TokenMeter

__all__ = ["ContextAnswer", "ContextItem", "ContextQuery", "RetrieveContext"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """One memory of a context.

    Attributes:
        result: The memory as it was found.
        shown: How it is shown.
    """

    result: SearchResult
    shown: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAnswer:
    """The answer to a retrieval.

    Attributes:
        namespace: Where it looked.
        items: What the text holds, the best first.
        text: The whole text, ready to be given to an agent; empty without items.
        total_tokens: What the text takes of the budget.
        token_factor: Tokens of the target for each token of the embedding model.
        stage: How much was looked at.
        low_confidence: Nothing found is likely to answer the query.
        degraded: The embedding model was unavailable, or not everything was looked at.
    """

    namespace: str
    items: tuple[ContextItem, ...]
    text: str
    total_tokens: int
    token_factor: float
    stage: CascadeStage
    low_confidence: bool
    degraded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieveContext:
    """Searches by the ``context`` profile and fills a budget with what was found.

    Attributes:
        search: Finds.
        keys: Holds the secret of the installation, by which the text is marked.
    """

    search: SearchMemories
    embedder: Embedder
    uses: UseLog
    keys: KeyStore
    limit: LimitRequests
    clock: Clock

    def __call__(self, principal: Principal, query: ContextQuery) -> ContextAnswer:
        """Retrieve what matters for a query. Each memory shown counts as recalled.

        The same request on the same memories, counters and instant gives the same answer.

        Raises:
            InvalidRequestError: A field is wrong; named in the details.
            ForbiddenError: The principal may not read the namespace.
            RateLimitedError: Too many searches.
            UnavailableError: The index or the records cannot be reached.
        """
        place = address_namespace(principal, query.namespace, Right.READ)
        self.limit(principal, RequestKind.SEARCH)
        query.check()
        now = self.clock.now()
        stage, found = self._find(place, query, now)
        meter = TokenMeter(embedder=self.embedder, factor=TOKEN_FACTORS[query.token_target])
        assembled = self._assemble(place, query, found.results, meter)
        shown = [found.results[one.place] for one in assembled.shown]
        if shown:
            ids = [result.view.memory.id for result in shown]
            self.uses.record(recall_of(principal, query.search(stage), place, ids, now))
        return ContextAnswer(
            namespace=place,
            items=tuple(
                ContextItem(result=result, shown=one)
                for result, one in zip(shown, assembled.shown, strict=True)
            ),
            text=assembled.text,
            total_tokens=assembled.total_tokens,
            token_factor=meter.factor,
            stage=stage,
            low_confidence=found.low_confidence,
            degraded=found.degraded or meter.is_estimate,
        )

    def _find(
        self, place: str, query: ContextQuery, now: datetime
    ) -> tuple[CascadeStage, SearchAnswer]:
        """Search by the stage chosen; where meaning alone finds nothing, by words as well."""
        stage = query.stage_at(now)
        found = self.search.find(place, query.search(stage), now)
        if stage is CascadeStage.FAST and not _has_meaning(found):
            stage = CascadeStage.PRECISION
            found = self.search.find(place, query.search(stage), now)
        return stage, found

    def _assemble(
        self,
        place: str,
        query: ContextQuery,
        results: Sequence[SearchResult],
        meter: TokenMeter,
    ) -> Assembled:
        candidates = [
            Candidate(memory=result.view.memory, relevance=result.relevance) for result in results
        ]
        return assemble(
            Assembler(budget=query.token_budget, count=meter, zone=query.zone),
            candidates,
            key=self.keys.signing_secret(),
            about=(place, query.query),
        )


def _has_meaning(found: SearchAnswer) -> bool:
    return any(result.similarity is not None for result in found.results)
