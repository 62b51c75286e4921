"""Whole units of the calendar beside this one: last week, next month."""

from datetime import timedelta

from omoide.domain.time_words.local_calendar import WEEK, Today
from omoide.domain.time_words.mention import Mention


def of_unit(today: Today, unit: str, steps: int) -> Mention | None:
    """Return a whole unit of the calendar, some steps from this one.

    Raises:
        ValueError: It lies outside the years 1 to 9999.
        OverflowError: Likewise.
    """
    if unit == "day":
        return Mention(on=today.day + timedelta(days=steps))
    if unit in ("week", "weekend"):
        monday = today.monday + steps * WEEK
        return Mention(week=monday, is_weekend=True if unit == "weekend" else None)
    if unit == "year":
        return Mention(year=today.day.year + steps)
    length = {"month": 1, "quarter": 3}[unit]
    index = today.day.year * 12 + today.day.month - 1
    year, month = divmod((index // length + steps) * length, 12)
    if unit == "month":
        return Mention(year=year, month=month + 1)
    return Mention(year=year, quarter=month // 3 + 1)
