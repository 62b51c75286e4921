"""Days, weeks, months, quarters, seasons and years of a local calendar."""

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
NO_SLACK = timedelta(0)
MONTHS_PER_YEAR = 12
FISCAL_YEAR_BEGINS = 4
"""April, as in Japan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time ``[start, end)``.

    Attributes:
        start: Naive in the local calendar, or aware where an instant is meant; None: open.
        end: Likewise.
        slack: How far both ends may move, so vague are the words.
    """

    start: datetime | None
    end: datetime | None
    slack: timedelta = NO_SLACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """When and where words are said.

    Attributes:
        now: Aware UTC.
        local: The same in the local calendar, naive.
        day: The local day.
    """

    now: datetime
    local: datetime
    day: date

    @property
    def monday(self) -> date:
        """First day of this week."""
        return self.day - timedelta(days=self.day.weekday())


def today_in(zone: ZoneInfo, now: datetime) -> Today:
    """Return the day of an aware instant in a zone."""
    local = now.astimezone(zone).replace(tzinfo=None)
    return Today(now=now.astimezone(UTC), local=local, day=local.date())


def instant_of(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment of the local calendar as aware UTC.

    A time that a clock change leaves out is the instant of the change, one that it repeats is the
    first of the two: so a day begins with its first instant, and may have 23 or 25 hours.
    """
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    return moment.replace(tzinfo=zone).astimezone(UTC)


def at(day: date, hour: float = 0) -> datetime:
    """Return an hour of a day, naive; hours past 24 are of the next day."""
    return datetime.combine(day, time()) + timedelta(hours=hour)


def days(first: date, after: date, *, slack: timedelta = NO_SLACK) -> Span:
    """Return the days from the first up to, but not including, the last."""
    return Span(start=at(first), end=at(after), slack=slack)


def one_day(day: date, *, slack: timedelta = NO_SLACK) -> Span:
    """Return a whole day."""
    return days(day, day + DAY, slack=slack)


def week_from(monday: date) -> Span:
    """Return the seven days from a day on."""
    return days(monday, monday + WEEK)


def month_of(year: int, month: int) -> Span:
    """Return a month; months below 1 and above 12 are of other years."""
    return months(year, month, 1)


def months(year: int, month: int, count: int) -> Span:
    """Return some months from one on.

    Raises:
        ValueError: They fall outside the years 1 to 9999.
    """
    return days(_first_of(year, month), _first_of(year, month + count))


def year_of(year: int) -> Span:
    """Return a year."""
    return months(year, 1, MONTHS_PER_YEAR)


def shifted(day: date, month_count: int) -> date:
    """Return the same day of another month, or that month's last day if it has no such day."""
    first = _first_of(day.year, day.month + month_count)
    return first.replace(day=min(day.day, calendar.monthrange(first.year, first.month)[1]))


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Return the nth Monday (0) to Sunday (6) of a month, the last one for -1.

    Raises:
        ValueError: The month has no such day.
    """
    if nth < 0:
        last = _first_of(year, month + 1) - DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = _first_of(year, month)
    day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    if day.month != first.month:
        raise ValueError(nth)
    return day


def nth_week(year: int, month: int, nth: int) -> Span:
    """Return seven days of a month: the first from the 1st on, the last (-1) up to its end.

    Raises:
        ValueError: The month has no such week.
    """
    month_start, after = _first_of(year, month), _first_of(year, month + 1)
    if nth < 0:
        return days(after - WEEK, after)
    first = month_start + (nth - 1) * WEEK
    if first >= after:
        raise ValueError(nth)
    return days(first, min(first + WEEK, after))


def _first_of(year: int, month: int) -> date:
    years, index = divmod(month - 1, MONTHS_PER_YEAR)
    return date(year + years, index + 1, 1)
