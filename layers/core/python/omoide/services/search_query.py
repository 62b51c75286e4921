"""What a caller asks of a search."""

import math
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from omoide.domain.errors import FieldProblem, InvalidRequestError
from omoide.domain.limits import MAX_QUERY, NO_TIME_ZONE, as_utc, is_time_zone, text_problem
from omoide.domain.memory import Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import (
    DEFAULT_ALPHA,
    DEFAULT_EXPLORATION,
    Fusion,
    RankingOptions,
    RankingProfile,
    SearchMode,
)

MAX_TOP_K = 100
_UTC = ZoneInfo("UTC")
SMALLEST_POOL = 100
LARGEST_POOL = 300
_POOL_PER_RESULT = 3


def _no_filter() -> MemoryFilter:
    return MemoryFilter(statuses=())


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A search.

    Attributes:
        query: 1..2,000 characters.
        namespace: Where to search; None means the principal's default namespace.
        top_k: Results wanted, 1..100.
        mode: What to look at.
        profile: How scores are made; None means ``search``.
        fusion: How relevance is made.
        alpha: Share of relevance in the ``alpha`` profile, 0..1; None means .7.
        current_valence: The asker's mood, -1..1, needed by the ``mood`` profile.
        where: Conditions. No ``statuses`` means active; ``valid_at`` and ``now`` are set by the
            search.
        include: Statuses to add to active; not together with ``where.statuses``.
        as_of: Search what was valid then; None means now. What has expired since is not found.
        min_score: Results below are left out and counted; None leaves out none.
        timezone: IANA zone in which time words are understood.
        explain: Whether results tell how their score came about.
        exploration: How much the ``context`` profile favours what was seldom recalled, 0..1.
        least_pool: How many ids each arm nominates at least, 1..300.
        without: Names of stages of relevance to leave out.
        session: Who recalls: uses are counted once per memory, session and hour; None means the
            session of the filter or the key.
    """

    query: str
    namespace: str | None = None
    top_k: int = 10
    mode: SearchMode = SearchMode.HYBRID
    profile: RankingProfile | None = None
    fusion: Fusion = Fusion.WEIGHTED
    alpha: float | None = None
    current_valence: float | None = None
    where: MemoryFilter = field(default_factory=_no_filter)
    include: tuple[Status, ...] = ()
    as_of: datetime | None = None
    min_score: float | None = None
    timezone: str | None = None
    explain: bool = False
    exploration: float = DEFAULT_EXPLORATION
    least_pool: int = SMALLEST_POOL
    without: frozenset[str] = frozenset()
    session: str | None = None

    @property
    def pool(self) -> int:
        """How many ids each arm nominates."""
        return min(LARGEST_POOL, max(self.least_pool, _POOL_PER_RESULT * self.top_k))

    def check(self) -> None:
        """Refuse what cannot be searched for.

        Raises:
            InvalidRequestError: Fields are wrong; its details name each of them.
        """
        problems = self.problems()
        if problems:
            raise InvalidRequestError.of_all(problems)

    def problems(self) -> list[FieldProblem]:
        """What is wrong with it, field by field."""
        found = {
            "query": text_problem(self.query, limit=MAX_QUERY),
            "top_k": _outside(self.top_k, 1, MAX_TOP_K),
            "alpha": _outside(self.alpha, 0, 1),
            "current_valence": self._valence_problem(),
            "min_score": None if _is_finite(self.min_score) else "must be a finite number",
            "include": self._include_problem(),
            "timezone": self._timezone_problem(),
        }
        return [FieldProblem(field=f, problem=p) for f, p in found.items() if p is not None]

    def instant(self, now: datetime) -> datetime:
        """The time from which ages are counted.

        Raises:
            InvalidRequestError: ``as_of`` falls outside the years 1 to 9999.
        """
        return now if self.as_of is None else as_utc(self.as_of, field="as_of")

    @property
    def zone(self) -> ZoneInfo:
        """The calendar in which words of time are understood."""
        return _UTC if self.timezone is None else ZoneInfo(self.timezone)

    def conditions(self, instant: datetime, now: datetime) -> MemoryFilter:
        """Every condition of the search.

        Args:
            instant: What must be valid then, where the search names a time.
            now: What has expired by now stays out of sight, however early the time searched.

        Raises:
            InvalidRequestError: A time of the filter falls outside the years 1 to 9999.
        """
        statuses = self.where.statuses or self._default_statuses()
        return replace(
            self.where,
            statuses=statuses,
            now=max(now, instant),
            valid_at=None if self.as_of is None else instant,
            event_after=_utc(self.where.event_after, "filters.event_after"),
            event_before=_utc(self.where.event_before, "filters.event_before"),
        )

    def options(self, mode: SearchMode) -> RankingOptions:
        """The choices that the ranking needs, for a mode that may have fallen back."""
        return RankingOptions(
            mode=mode,
            profile=self.profile or RankingProfile.SEARCH,
            fusion=self.fusion,
            alpha=DEFAULT_ALPHA if self.alpha is None else self.alpha,
            current_valence=self.current_valence or 0.0,
            exploration=self.exploration,
            without=self.without,
        )

    def _default_statuses(self) -> tuple[Status, ...]:
        is_wide = self.as_of is not None or self.profile is RankingProfile.CONTEXT
        of_then = (Status.SUPERSEDED,) if is_wide else ()
        return tuple(dict.fromkeys((Status.ACTIVE, *of_then, *self.include)))

    def _valence_problem(self) -> str | None:
        if self.current_valence is None and self.profile is RankingProfile.MOOD:
            return "is needed by the mood profile"
        return _outside(self.current_valence, -1, 1)

    def _include_problem(self) -> str | None:
        if self.include and self.where.statuses:
            return "cannot be combined with filters.statuses"
        return None

    def _timezone_problem(self) -> str | None:
        if self.timezone is None or is_time_zone(self.timezone):
            return None
        return NO_TIME_ZONE


def _utc(value: datetime | None, field_name: str) -> datetime | None:
    return None if value is None else as_utc(value, field=field_name)


def _is_finite(number: float | None) -> bool:
    return number is None or math.isfinite(number)


def _outside(number: float | None, low: float, high: float) -> str | None:
    if number is None or low <= number <= high:
        return None
    return f"must lie between {low:g} and {high:g}"
