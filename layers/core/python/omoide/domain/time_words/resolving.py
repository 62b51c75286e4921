"""From what was said to the time that is meant."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from omoide.domain.time_words.holidays import HOLIDAYS
from omoide.domain.time_words.local_calendar import (
    DAY,
    FISCAL_YEAR_BEGINS,
    NO_SLACK,
    Span,
    Today,
    at,
    days,
    month_of,
    months,
    nth_week,
    nth_weekday,
    one_day,
    week_from,
    year_of,
)
from omoide.domain.time_words.mention import Mention, Unit
from omoide.domain.time_words.parts import part_of

_SEASON_MONTHS = 3
_SPRING = 3
_LEAP = 9
"""Years looked at on both sides: February 29 comes once in eight where a leap year is left out."""
_COARSE = frozenset({Unit.MONTH, Unit.YEAR})


def resolve(mention: Mention, today: Today) -> Span | None:
    """Return the time that is meant, or None where the words make no sense together."""
    try:
        return _resolve(mention, today)
    except (ValueError, OverflowError):
        return None


def _resolve(mention: Mention, today: Today) -> Span | None:
    if mention.span is not None:
        return mention.span
    span = _whole(_dated(mention), today)
    if span is None or mention.hours is None:
        return span
    return _hours(span, *mention.hours)


def _dated(mention: Mention) -> Mention:
    """Let a day told by a distance give its week, month or year to what is said with it."""
    on = mention.on
    if on is None or mention.distance is None:
        return mention
    finer = mention.said
    if mention.distance is Unit.WEEK and finer & {"weekday", "is_weekend"}:
        monday = on - timedelta(days=on.weekday())
        return replace(mention, on=None, week=monday)
    if mention.distance in _COARSE and finer & {"day", "nth", "part"} and mention.month is None:
        year_only = mention.distance is Unit.YEAR
        return replace(mention, on=None, year=on.year, month=None if year_only else on.month)
    if mention.distance is Unit.YEAR and finer & {"month", "season", "holiday", "quarter", "half"}:
        return replace(mention, on=None, year=on.year)
    return mention


def _whole(mention: Mention, today: Today) -> Span | None:
    """The time without its hours: the finest thing said decides."""
    said = mention.said
    if mention.on is not None:
        return one_day(mention.on, slack=mention.slack or NO_SLACK)
    for name, read in _READERS:
        if name in said:
            return read(mention, today)
    return None


def _weekend_or_weekday(mention: Mention, today: Today) -> Span | None:
    weekday, length = (5, 2) if mention.is_weekend else (mention.weekday or 0, 1)
    if mention.is_weekend and mention.day is not None:
        near = _day(mention, today)
        return None if near is None or near.start is None else _from(_saturday(near.start), 2)
    if mention.week is not None:
        first = mention.week + timedelta(days=weekday)
    elif mention.day is not None and not mention.is_weekend:
        return _day(mention, today)
    elif mention.nth is not None and mention.month is not None:
        month, nth = mention.month, mention.nth
        return _near(
            lambda year: _from(nth_weekday(year, month, weekday, nth), length), mention, today
        )
    elif mention.said & {"month", "year"}:
        return None
    else:
        first = _weekday_near(weekday, length, mention.direction, today)
    return _from(first, length)


def _saturday(moment: datetime) -> date:
    return moment.date() + timedelta(days=5 - moment.weekday())


def _from(first: date, length: int) -> Span:
    return days(first, first + timedelta(days=length))


def _weekday_near(weekday: int, length: int, direction: int | None, today: Today) -> date:
    if direction == 0:
        return today.monday + timedelta(days=weekday)
    if direction is not None and direction > 0:
        after = (weekday - today.day.weekday() - 1) % 7 + 1
        return today.day + timedelta(days=after + 7 * (direction - 1))
    earlier = -(direction or -1) - 1
    last = today.day - timedelta(days=length - 1)
    before = (last.weekday() - weekday - 1) % 7 + 1
    return last - timedelta(days=before + 7 * earlier)


def _week(mention: Mention, today: Today) -> Span | None:
    """The nth week of a month counts from its first day; the last one ends with it."""
    if mention.day is not None:
        day = _day(mention, today)
        if day is None or day.start is None:
            return None
        first = day.start.date()
        return week_from(first - timedelta(days=first.weekday()))
    if mention.nth is None or mention.month is None:
        return None
    month, nth = mention.month, mention.nth
    return _near(lambda year: nth_week(year, month, nth), mention, today)


def _day(mention: Mention, today: Today) -> Span | None:
    day = mention.day or 0
    if day < 0:
        return _last_day(mention, today)
    if mention.month is not None:
        month = mention.month
        last = mention.last_day or day
        return _near(
            lambda year: days(date(year, month, day), date(year, month, last) + DAY), mention, today
        )
    if mention.year is not None:
        return None
    index = today.day.year * 12 + today.day.month - 1
    for earlier in range(3):
        year, month = divmod(index - earlier, 12)
        try:
            candidate = date(year, month + 1, day)
        except ValueError:
            continue
        if candidate < today.day:
            return one_day(candidate)
    return None


def _last_day(mention: Mention, today: Today) -> Span | None:
    whole = _month(mention, today) if mention.month is not None else _year_span(mention, today)
    return None if whole is None or whole.end is None else one_day(whole.end.date() - DAY)


def _month(mention: Mention, today: Today) -> Span | None:
    month = mention.month or 0
    return _near(lambda year: month_of(year, month), mention, today)


def _season(mention: Mention, today: Today) -> Span | None:
    first = _SPRING + _SEASON_MONTHS * (mention.season or 0)
    return _near(lambda year: months(year, first, _SEASON_MONTHS), mention, today)


def _quarter(mention: Mention, today: Today) -> Span | None:
    first = 3 * (mention.quarter or 1) - 2
    if mention.is_fiscal:
        first += FISCAL_YEAR_BEGINS - 1
    return _near(lambda year: months(year, first, 3), mention, today)


def _half(mention: Mention, today: Today) -> Span | None:
    first = 6 * (mention.half or 1) - 5
    if mention.is_fiscal:
        first += FISCAL_YEAR_BEGINS - 1
    return _near(lambda year: months(year, first, 6), mention, today)


def _holiday(mention: Mention, today: Today) -> Span | None:
    return _near(HOLIDAYS[mention.holiday or ""], mention, today)


def _year_span(mention: Mention, _today: Today) -> Span | None:
    year = mention.year or 0
    span = months(year, FISCAL_YEAR_BEGINS, 12) if mention.is_fiscal else year_of(year)
    return _parted(span, mention)


def _decade(mention: Mention, _today: Today) -> Span | None:
    return _parted(months(mention.decade or 0, 1, 120), mention)


def _week_span(mention: Mention, _today: Today) -> Span | None:
    return None if mention.week is None else _parted(week_from(mention.week), mention)


def _parted(span: Span, mention: Mention) -> Span:
    return span if mention.part is None else part_of(span, mention.part)


def _near(of: Callable[[int], Span], mention: Mention, today: Today) -> Span | None:
    """What happens once a year: in the year said, or the latest wholly past, or the next."""
    this = today.day.year
    if mention.year is not None:
        return _parted(of(_calendar_year(of, mention)), mention)
    if mention.direction == 0:
        return _parted(of(this), mention)
    candidates = (_of_or_none(of, year) for year in range(this - _LEAP, this + _LEAP + 1))
    spans = [_parted(span, mention) for span in candidates if span is not None]
    if mention.direction is not None and mention.direction > 0:
        future = [span for span in spans if span.start is not None and span.start > today.local]
        return _nth_of(future, mention.direction - 1)
    past = at(today.day)
    over = [span for span in spans if span.end is not None and span.end <= past]
    return _nth_of(over[::-1], -(mention.direction or -1) - 1)


def _nth_of(spans: list[Span], index: int) -> Span | None:
    return spans[index] if index < len(spans) else None


def _calendar_year(of: Callable[[int], Span], mention: Mention) -> int:
    """The year said; in a fiscal year January to March are of the next."""
    year = mention.year or 0
    start = of(year).start
    if not mention.is_fiscal or start is None or start.year > year:
        return year
    return year + (start.month < FISCAL_YEAR_BEGINS)


def _of_or_none(of: Callable[[int], Span], year: int) -> Span | None:
    """February 29 and the years around 1 and 9999 do not always exist."""
    try:
        return of(year)
    except ValueError:
        return None


def _hours(span: Span, begin: float, end: float) -> Span | None:
    """Hours of a day; of longer spans they say nothing about which day."""
    if span.start is None or span.end is None or span.end - span.start > DAY:
        return span
    return Span(start=at(span.start.date(), begin), end=at(span.start.date(), end))


_READERS: tuple[tuple[str, Callable[[Mention, Today], Span | None]], ...] = (
    ("is_week", _week),
    ("weekday", _weekend_or_weekday),
    ("is_weekend", _weekend_or_weekday),
    ("day", _day),
    ("holiday", _holiday),
    ("season", _season),
    ("quarter", _quarter),
    ("half", _half),
    ("month", _month),
    ("week", _week_span),
    ("year", _year_span),
    ("decade", _decade),
)
