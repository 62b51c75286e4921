"""What a caller asks of a retrieval."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from omoide.domain.context_assembly.cascade import CascadeStage, stage_for
from omoide.domain.context_assembly.tiers import DEFAULT_BUDGET, LARGEST_BUDGET, LEAST_BUDGET
from omoide.domain.context_assembly.token_target import TokenTarget
from omoide.domain.errors import FieldProblem, InvalidRequestError
from omoide.domain.intent import intent_of
from omoide.domain.limits import text_problem
from omoide.domain.memory import MemoryType
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import RankingProfile, SearchMode
from omoide.domain.ranking.stages import STAGE_NAMES
from omoide.domain.task_context import MAX_TASK_CONTEXT, exploration_of
from omoide.services.search_query import LARGEST_POOL, SMALLEST_POOL, SearchQuery

_OF_MEANING = frozenset({"dense"})


def _no_filter() -> MemoryFilter:
    return MemoryFilter(statuses=())


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """A retrieval.

    Attributes:
        query: 1..2,000 characters.
        namespace: Where to search; None means the principal's default namespace.
        memory_types: Only these types; none means any. Not together with those of ``where``.
        token_budget: Tokens that the text may have, delimiters included, 100..100,000.
        token_target: Whose tokens.
        stage: How much to look at; None lets the words of the query decide.
        task_context: The task at hand, up to 2,000 characters; see `omoide.domain.task_context`.
        top_k: Memories shown at most, 1..100.
        where: Conditions. No ``statuses`` means active and superseded.
        as_of: Retrieve what was valid then; None means now.
        timezone: IANA zone of time words and of the dates shown; None means UTC.
        session: Who recalls; None means the session of the filter or the key.
    """

    query: str
    namespace: str | None = None
    memory_types: tuple[MemoryType, ...] = ()
    token_budget: int = DEFAULT_BUDGET
    token_target: TokenTarget = TokenTarget.O200K
    stage: CascadeStage | None = None
    task_context: str = ""
    top_k: int = 10
    where: MemoryFilter = field(default_factory=_no_filter)
    as_of: datetime | None = None
    timezone: str | None = None
    session: str | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone of time words and of the dates shown."""
        return ZoneInfo(self.timezone or "UTC")

    def check(self) -> None:
        """Refuse what cannot be retrieved.

        Raises:
            InvalidRequestError: Fields are wrong; its details name each of them.
        """
        problems = self._search(SMALLEST_POOL).problems()
        if not LEAST_BUDGET <= self.token_budget <= LARGEST_BUDGET:
            told = f"must lie between {LEAST_BUDGET} and {LARGEST_BUDGET:,}"
            problems.append(FieldProblem(field="token_budget", problem=told))
        if self.memory_types and self.where.memory_types:
            told = "cannot be combined with filters.memory_types"
            problems.append(FieldProblem(field="memory_types", problem=told))
        wrong = text_problem(self.task_context, limit=MAX_TASK_CONTEXT)
        if self.task_context and wrong is not None:
            problems.append(FieldProblem(field="task_context", problem=wrong))
        if problems:
            raise InvalidRequestError.of_all(problems)

    def stage_at(self, now: datetime) -> CascadeStage:
        """The stage asked for, or the one that the words of the query ask for."""
        if self.stage is not None:
            return self.stage
        return stage_for(intent_of(self.query, now=now, zone=self.zone).urgency)

    def search(self, stage: CascadeStage) -> SearchQuery:
        """The search of a stage: by meaning alone, by all, or by all in a larger pool."""
        if stage is CascadeStage.FAST:
            alone = frozenset(STAGE_NAMES) - _OF_MEANING
            return replace(self._search(SMALLEST_POOL), mode=SearchMode.SEMANTIC, without=alone)
        return self._search(LARGEST_POOL if stage is CascadeStage.DEEP else SMALLEST_POOL)

    def _search(self, least_pool: int) -> SearchQuery:
        types = self.memory_types or self.where.memory_types
        return SearchQuery(
            query=self.query,
            namespace=self.namespace,
            top_k=self.top_k,
            profile=RankingProfile.CONTEXT,
            where=replace(self.where, memory_types=types),
            as_of=self.as_of,
            timezone=self.timezone,
            exploration=exploration_of(self.task_context),
            least_pool=least_pool,
            session=self.session,
        )
