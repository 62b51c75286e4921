"""Surface what a moment calls for, without being asked, once in a session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from omoide.domain.context_assembly.assembly import Assembled, assemble
from omoide.domain.context_assembly.tiers import (
    LARGEST_BUDGET,
    LEAST_BUDGET,
    Assembler,
    Candidate,
    CountTokens,
)
from omoide.domain.context_assembly.token_target import TOKEN_FACTORS, TokenTarget
from omoide.domain.errors import FieldProblem, InvalidRequestError
from omoide.domain.limits import MAX_CONTENT, MAX_ORIGIN, MAX_QUERY, text_problem
from omoide.domain.principal import Principal, Right
from omoide.domain.ranking.options import RankingProfile
from omoide.domain.surfacing.cues import cues_of
from omoide.domain.surfacing.moment import MOST_SURFACED, Match, is_moment
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.keys import KeyStore
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.shown_memories import ShownMemories
from omoide.ports.use_log import UseLog
from omoide.services.addressing import address_namespace
from omoide.services.limit_requests import LimitRequests
from omoide.services.retrieve_context import ContextItem
from omoide.services.search_memories import (
    SearchAnswer,
    SearchMemories,
    SearchQuery,
    SearchResult,
    recall_of,
)
from omoide.services.token_meter import TokenMeter

DEFAULT_SURFACE_BUDGET = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceQuery:
    """A moment of a conversation.

    Attributes:
        context: What was just said, 1..32,768 characters.
        session_id: The conversation, in which nothing is shown twice.
        namespace: Where to look; None means the principal's default namespace.
        current_valence: The mood, -1..1: memories of the same feeling come first.
        token_budget: Tokens that the text may have, delimiters included, 100..100,000.
        token_target: Whose tokens.
        timezone: IANA zone of time words and of the dates shown; None means UTC.
    """

    context: str
    session_id: str
    namespace: str | None = None
    current_valence: float | None = None
    token_budget: int = DEFAULT_SURFACE_BUDGET
    token_target: TokenTarget = TokenTarget.O200K
    timezone: str | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone of time words and of the dates shown."""
        return ZoneInfo(self.timezone or "UTC")

    def check(self) -> None:
        """Refuse what cannot be looked at.

        Raises:
            InvalidRequestError: Fields are wrong; its details name each of them.
        """
        found = {
            "context": text_problem(self.context, limit=MAX_CONTENT),
            "session_id": text_problem(self.session_id, limit=MAX_ORIGIN),
            "token_budget": self._budget_problem(),
        }
        problems = [FieldProblem(field=f, problem=p) for f, p in found.items() if p is not None]
        problems += [one for one in self.search(1).problems() if one.field != "query"]
        if problems:
            raise InvalidRequestError.of_all(problems)

    def search(self, top_k: int) -> SearchQuery:
        """The search for what the moment may call for."""
        has_mood = self.current_valence is not None
        return SearchQuery(
            query=essence(self.context),
            namespace=self.namespace,
            top_k=top_k,
            profile=RankingProfile.MOOD if has_mood else RankingProfile.SEARCH,
            current_valence=self.current_valence,
            timezone=self.timezone,
            session=self.session_id,
            explain=True,
        )

    def _budget_problem(self) -> str | None:
        if LEAST_BUDGET <= self.token_budget <= LARGEST_BUDGET:
            return None
        return f"must lie between {LEAST_BUDGET} and {LARGEST_BUDGET:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceAnswer:
    """What a moment calls for; nothing, most of the time.

    Attributes:
        namespace: Where it looked.
        items: What the text holds, the best first.
        text: The whole text, ready to be given to an agent; empty without items.
        total_tokens: What the text takes of the budget.
        degraded: The embedding model was unavailable, or not everything was looked at.
    """

    namespace: str
    items: tuple[ContextItem, ...] = ()
    text: str = ""
    total_tokens: int = 0
    degraded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceMemories:
    """Searches for what was said, and speaks up only where the moment calls for a memory.

    Attributes:
        search: Finds.
        keys: Holds the secret of the installation, by which the text is marked.
        shown: What each session was shown.
    """

    search: SearchMemories
    embedder: Embedder
    uses: UseLog
    keys: KeyStore
    shown: ShownMemories
    limit: LimitRequests
    clock: Clock

    def __call__(self, principal: Principal, query: SurfaceQuery) -> SurfaceAnswer:
        """Surface memories. Each that is shown counts as recalled, and not again in the session.

        Raises:
            InvalidRequestError: A field is wrong; named in the details.
            ForbiddenError: The principal may not read the namespace.
            RateLimitedError: Too many searches.
            UnavailableError: The index, the records or what was shown cannot be reached.
        """
        place = address_namespace(principal, query.namespace, Right.READ)
        self.limit(principal, RequestKind.SEARCH)
        query.check()
        now = self.clock.now()
        answer, results = self._called_for(place, query, now)
        if not results:
            return SurfaceAnswer(namespace=place, degraded=answer.degraded)
        meter = TokenMeter(embedder=self.embedder, factor=TOKEN_FACTORS[query.token_target])
        results, assembled = self._claimed(place, query, results, meter, now)
        if results:
            ids = [result.view.memory.id for result in results]
            self.uses.record(recall_of(principal, query.search(1), place, ids, now))
        return SurfaceAnswer(
            namespace=place,
            items=tuple(
                ContextItem(result=results[one.place], shown=one) for one in assembled.shown
            ),
            text=assembled.text,
            total_tokens=assembled.total_tokens,
            degraded=answer.degraded,
        )

    def _called_for(
        self, place: str, query: SurfaceQuery, now: datetime
    ) -> tuple[SearchAnswer, list[SearchResult]]:
        """What the moment calls for of what the session has not seen."""
        answer = self.search.find(place, query.search(MOST_SURFACED), now)
        near = answer.results
        cues = cues_of(query.context)
        if not is_moment(cues, answer.information, [match_of(result) for result in near]):
            return answer, []
        ids = [result.view.memory.id for result in near]
        seen = self.shown.among(place, query.session_id, ids, now)
        unseen = [result for result in near if result.view.memory.id not in seen]
        is_still = is_moment(cues, answer.information, [match_of(result) for result in unseen])
        return answer, unseen if is_still else []

    def _claimed(
        self,
        place: str,
        query: SurfaceQuery,
        results: list[SearchResult],
        count: CountTokens,
        now: datetime,
    ) -> tuple[list[SearchResult], Assembled]:
        """The text of what fits and no other moment of the session has claimed."""
        assembled = self._assemble(place, query, results, count)
        fitting = [results[one.place] for one in assembled.shown]
        ids = [result.view.memory.id for result in fitting]
        claimed = self.shown.claim(place, query.session_id, ids, now)
        if len(claimed) == len(results):
            return results, assembled
        own = [result for result in fitting if result.view.memory.id in claimed]
        return own, self._assemble(place, query, own, count)

    def _assemble(
        self, place: str, query: SurfaceQuery, results: Sequence[SearchResult], count: CountTokens
    ) -> Assembled:
        candidates = [
            Candidate(memory=result.view.memory, relevance=result.relevance) for result in results
        ]
        return assemble(
            Assembler(budget=query.token_budget, count=count, zone=query.zone),
            candidates,
            key=self.keys.signing_secret(),
            about=(place, query.session_id, query.context),
        )


def essence(context: str) -> str:
    """As much of a context as can be searched for: of a long one, its beginning and its end."""
    if len(context) <= MAX_QUERY:
        return context
    half = MAX_QUERY // 2
    return f"{context[:half]}\n{context[len(context) - half + 1 :]}"


def match_of(result: SearchResult) -> Match:
    """How well a result that was explained matches."""
    parts = {} if result.explain is None else {p.name: p for p in result.explain.parts if p.applies}
    values = {name: part.value for name, part in parts.items()}
    return Match(
        dense=values.get("dense", 0.0),
        late=values.get("late", 0.0),
        lexical=values.get("lexical", 0.0),
    )
