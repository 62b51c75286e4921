"""What words of time say, piece by piece, before it is clear which time they mean."""

from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from enum import StrEnum

from omoide.domain.time_words.local_calendar import Span


class Part(StrEnum):
    """A part of a month, year, week or season."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    BEGINNING = "beginning"
    END = "end"
    FIRST_HALF = "first_half"
    SECOND_HALF = "second_half"


class Unit(StrEnum):
    """A unit of the calendar in which a distance is told."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Some words of time. What is None was not said.

    Attributes:
        year: Calendar year, or the year a fiscal year begins in.
        is_fiscal: Whether the year begins in April.
        decade: First year of ten.
        quarter: 1..4.
        half: 1 or 2, of a year.
        season: 0 spring, 1 summer, 2 autumn, 3 winter.
        month: 1..12.
        day: 1..31.
        last_day: With ``day``: the last of several.
        week: Its Monday.
        weekday: 0 Monday..6 Sunday.
        is_weekend: Saturday and Sunday.
        nth: Which weekday, week or weekend of a month, -1 the last.
        is_week: With ``nth``: a week is meant; without: the week of the day.
        holiday: Its name in `holidays`.
        on: A certain day.
        distance: With ``on``: the unit in which the day was told ("two weeks ago").
        slack: With ``on``: how far it may lie from there.
        part: Early, late and so on.
        hours: From and to an hour of the day; above 24 the next day's.
        direction: -1 last, 0 this, 1 next, -2 the one before last.
        span: All is said already.
        is_weak: Means nothing alone ("morning", "2024").
        is_excluded: Words that look like words of time and are none.
    """

    year: int | None = None
    is_fiscal: bool | None = None
    decade: int | None = None
    quarter: int | None = None
    half: int | None = None
    season: int | None = None
    month: int | None = None
    day: int | None = None
    last_day: int | None = None
    week: date | None = None
    weekday: int | None = None
    is_weekend: bool | None = None
    nth: int | None = None
    is_week: bool | None = None
    holiday: str | None = None
    on: date | None = None
    distance: Unit | None = None
    slack: timedelta | None = None
    part: Part | None = None
    hours: tuple[float, float] | None = None
    direction: int | None = None
    span: Span | None = None
    is_weak: bool | None = None
    is_excluded: bool | None = None

    @property
    def said(self) -> frozenset[str]:
        """Names of the fields that were said."""
        return frozenset(name for name in _FIELDS if getattr(self, name) is not None)

    def joined(self, other: "Mention") -> "Mention | None":
        """Both together, or None where they cannot be about the same time."""
        mine, yours = self.said, other.said
        if mine & yours - {"is_weak"} or (mine | yours) & _ALONE:
            return None
        together = replace(self, **{name: getattr(other, name) for name in yours})
        is_weak = all(one.is_weak and one.said <= MEANINGLESS for one in (self, other))
        together = replace(together, is_weak=True if is_weak else None)
        return together if together.is_one_time else None

    @property
    def is_one_time(self) -> bool:
        """Whether what was said can be about one time; "Monday of May" cannot."""
        said = self.said
        if self.on is not None and self.distance is None:
            return said <= _WITH_A_DATE
        if self.week is not None and said & _NOT_IN_A_WEEK:
            return False
        if self.weekday is not None and said & {"month", "year"}:
            return bool(said & {"day", "nth", "distance"})
        return len(said & _KINDS) <= 1


_ALONE = frozenset({"span", "is_excluded"})
_WITH_A_DATE = frozenset({"on", "distance", "slack", "hours", "part", "weekday"})
_KINDS = frozenset({"month", "season", "holiday", "quarter", "half", "decade"})
_NOT_IN_A_WEEK = _KINDS | {"year", "day", "nth", "is_week"}
MEANINGLESS = frozenset({"is_weak", "hours", "part", "nth", "is_week", "is_weekend", "weekday"})
"""What tells no time, not even together."""

_FIELDS = tuple(field.name for field in fields(Mention))
