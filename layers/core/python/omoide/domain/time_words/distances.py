"""Times told by their distance from now: "three weeks ago", "the past 24 hours"."""

from datetime import date, datetime, timedelta

from omoide.domain.time_words.local_calendar import DAY, NO_SLACK, Span, Today, at, shifted
from omoide.domain.time_words.mention import Mention, Unit

_SLACK_SHARE = 5
_ROUGH_UNITS = frozenset({Unit.WEEK, Unit.MONTH, Unit.YEAR})
_EXACT_LENGTHS = {
    Unit.SECOND: timedelta(seconds=1),
    Unit.MINUTE: timedelta(minutes=1),
    Unit.HOUR: timedelta(hours=1),
}


def distant(
    today: Today, unit: Unit, near: float, far: float | None = None, *, is_vague: bool = False
) -> Mention:
    """Return the day, or the hour or minute of the clock, that lies some units from now.

    Distances in weeks, months and years may be a fifth shorter or longer, vague ones as well.

    Args:
        today: When it is said.
        unit: What is counted.
        near: How many units; below 0 in the past; a half only with hours, months and years.
        far: The other end of "two or three days ago".
        is_vague: Whether the number itself is vague ("about ten days ago").

    Raises:
        ValueError: It lies outside the years 1 to 9999.
        OverflowError: Likewise.
    """
    first, last = sorted((near, near if far is None else far))
    if unit in _EXACT_LENGTHS:
        return Mention(span=_of_clock(today, unit, first, last, is_vague=is_vague))
    begin, end = _day_at(today, unit, first), _day_at(today, unit, last)
    slack = NO_SLACK
    if unit in _ROUGH_UNITS or is_vague:
        slack = abs(begin - today.day) / _SLACK_SHARE
    if is_vague:
        slack = max(slack, DAY)
    if far is None:
        return Mention(on=begin, distance=unit, slack=slack)
    return Mention(span=Span(start=at(begin), end=at(end) + DAY, slack=slack))


def rolling(today: Today, unit: Unit, count: float, *, is_future: bool = False) -> Mention:
    """Return the stretch of some units that ends, or begins, now.

    Hours are elapsed ones; days, weeks, months and years reach to the same time of the local day.

    Raises:
        ValueError: It reaches outside the years 1 to 9999.
        OverflowError: Likewise.
    """
    signed = count if is_future else -count
    if unit in _EXACT_LENGTHS:
        other = today.now + signed * _EXACT_LENGTHS[unit]
    else:
        other = at(_day_at(today, unit, signed)) + (today.local - at(today.day))
    if is_future:
        return Mention(span=Span(start=today.now, end=other))
    return Mention(span=Span(start=other, end=today.now))


def _of_clock(today: Today, unit: Unit, first: float, last: float, *, is_vague: bool) -> Span:
    length = _EXACT_LENGTHS[unit]
    begin = _floor(today, today.now + first * length, unit)
    end = _floor(today, today.now + last * length, unit) + length
    slack = abs(first) * length / _SLACK_SHARE
    return Span(start=begin, end=end, slack=max(slack, length) if is_vague else slack)


def _floor(today: Today, instant: datetime, unit: Unit) -> datetime:
    """The full hour or minute of the local clock, as an instant."""
    local = today.local + (instant - today.now)
    whole = {Unit.HOUR: local.replace(minute=0, second=0, microsecond=0)}.get(
        unit, local.replace(second=0, microsecond=0)
    )
    return instant - (local - whole)


def _day_at(today: Today, unit: Unit, count: float) -> date:
    if unit is Unit.DAY:
        return today.day + timedelta(days=round(count))
    if unit is Unit.WEEK:
        return today.day + timedelta(days=round(7 * count))
    month_count = count if unit is Unit.MONTH else 12 * count
    whole = int(month_count)
    day = shifted(today.day, whole)
    return day + timedelta(days=round(30 * (month_count - whole)))
