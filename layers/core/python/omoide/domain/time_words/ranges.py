"""Times from one to another: "between March and May", 3日から10日まで."""

from dataclasses import replace
from datetime import datetime

from omoide.domain.time_words.local_calendar import Span, Today
from omoide.domain.time_words.mention import Mention
from omoide.domain.time_words.resolving import resolve

_LEVELS = (
    ("year", "is_fiscal", "decade"),
    ("month", "season", "quarter", "half", "holiday"),
    ("week", "is_week", "nth"),
    ("on", "distance", "slack", "day", "weekday", "is_weekend"),
    ("hours",),
)
_AN_HOUR = 1
"""Hours of the clock last one; a range ends as the last of them begins."""


def range_of(first: Mention, last: Mention, today: Today) -> Span | None:
    """Return the time from the start of the first to the end of the last.

    Each takes from the other what it leaves unsaid ("March to May 2023"). Of ranges that come again
    it is the latest that ends in the past, as for a single time.
    """
    if last.hours is not None and last.hours[1] - last.hours[0] <= _AN_HOUR:
        last = replace(last, hours=(last.hours[0], last.hours[0]))
    span = _backward(_completed(first, last), _completed(last, first), today)
    if span is None and first.year is not None:
        span = _forward(first, last, today)
    return span or _backward(first, last, today) or _forward(first, last, today)


def _completed(one: Mention, other: Mention) -> Mention:
    """The one, with what the other says on coarser levels than any of its own."""
    said = one.said
    own = next((i for i, names in enumerate(_LEVELS) if said.intersection(names)), 0)
    missing = [name for names in _LEVELS[:own] for name in names]
    return replace(one, **{name: getattr(other, name) for name in missing})


def _backward(first: Mention, last: Mention, today: Today) -> Span | None:
    """The last where it is; the first is the latest before."""
    end = resolve(last, today)
    if end is None or end.end is None:
        return None
    begin = resolve(first, _as_of(today, end.end))
    return None if begin is None else _from_to(begin.start, end.end)


def _forward(first: Mention, last: Mention, today: Today) -> Span | None:
    """The first where it is; the last is the next after."""
    begin = resolve(first, today)
    if begin is None or begin.start is None:
        return None
    end = resolve(replace(last, direction=1), _as_of(today, begin.start))
    return None if end is None else _from_to(begin.start, end.end)


def _as_of(today: Today, moment: datetime) -> Today:
    local = moment if moment.tzinfo is None else today.local + (moment - today.now)
    return Today(now=today.now, local=local, day=local.date())


def _from_to(start: datetime | None, end: datetime | None) -> Span | None:
    if start is None or end is None or (start.tzinfo is None) != (end.tzinfo is None):
        return None
    return Span(start=start, end=end) if start < end else None
