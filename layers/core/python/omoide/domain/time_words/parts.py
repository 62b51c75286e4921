"""The beginning, the middle and the end of a stretch of time."""

from datetime import datetime, timedelta

from omoide.domain.time_words.local_calendar import DAY, WEEK, Span, month_of, months
from omoide.domain.time_words.mention import Part

_DECADE_OF_MONTH = timedelta(days=10)
_LONGEST_MONTH = timedelta(days=31)
_FIRST_THIRD = (Part.EARLY, Part.BEGINNING)
_LAST_THIRD = (Part.LATE, Part.END)


def part_of(span: Span, part: Part) -> Span:
    """Return a part of a span; of a day the whole, since its hours have names of their own.

    Months are parted after the 10th and the 20th, weeks after Tuesday and Thursday, longer spans
    into thirds of whole months; a year's beginning and end are its first and its last month.
    """
    start, end = span.start, span.end
    if start is None or end is None or end - start <= timedelta(days=2):
        return span
    if end - start <= WEEK:
        return _of_week(start, end, part)
    if end - start <= _LONGEST_MONTH:
        return _of_month(start, end, part)
    return _of_months(start, end, part)


def _of_week(start: datetime, end: datetime, part: Part) -> Span:
    if part in _FIRST_THIRD:
        return Span(start=start, end=start + 2 * DAY)
    if part in _LAST_THIRD:
        return Span(start=start + 4 * DAY, end=end)
    if part is Part.MIDDLE:
        return Span(start=start + 2 * DAY, end=start + 4 * DAY)
    middle = start + (end - start) / 2
    return Span(start=start, end=middle) if part is Part.FIRST_HALF else Span(start=middle, end=end)


def _of_month(start: datetime, end: datetime, part: Part) -> Span:
    if part in _FIRST_THIRD:
        return Span(start=start, end=start + _DECADE_OF_MONTH)
    if part in _LAST_THIRD:
        return Span(start=start + 2 * _DECADE_OF_MONTH, end=end)
    if part is Part.MIDDLE:
        return Span(start=start + _DECADE_OF_MONTH, end=start + 2 * _DECADE_OF_MONTH)
    middle = start + timedelta(days=15)
    return Span(start=start, end=middle) if part is Part.FIRST_HALF else Span(start=middle, end=end)


def _of_months(start: datetime, end: datetime, part: Part) -> Span:
    year, month = start.year, start.month
    count = 12 * (end.year - year) + end.month - month
    if part is Part.BEGINNING:
        return month_of(year, month)
    if part is Part.END:
        return month_of(year, month + count - 1)
    if part in (Part.FIRST_HALF, Part.SECOND_HALF):
        half = count // 2
        first = month if part is Part.FIRST_HALF else month + half
        return months(year, first, half)
    third = count // 3
    index = {Part.EARLY: 0, Part.MIDDLE: 1, Part.LATE: 2}[part]
    return months(year, month + index * third, third)
