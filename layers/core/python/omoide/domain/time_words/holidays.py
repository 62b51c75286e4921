"""Days of the year that have names, and where they fall."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from omoide.domain.time_words.local_calendar import Span, days, nth_weekday, one_day

_MONDAY, _THURSDAY, _FRIDAY = 0, 3, 4


def _fixed(month: int, day: int, count: int = 1) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        first = date(year, month, day)
        return days(first, first + timedelta(days=count))

    return of


def _nth(month: int, weekday: int, nth: int, later: int = 0) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        return one_day(nth_weekday(year, month, weekday, nth) + timedelta(days=later))

    return of


def _easter(later: int = 0) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        return one_day(easter_sunday(year) + timedelta(days=later))

    return of


def easter_sunday(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (Anonymous algorithm, Meeus 1991)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    correction = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * correction) // 451
    month, day = divmod(h + correction - 7 * m + 114, 31)
    return date(year, month, day + 1)


HOLIDAYS: Mapping[str, Callable[[int], Span]] = {
    "new_year": _fixed(1, 1),
    "new_year_days": _fixed(1, 1, 3),
    "coming_of_age": _nth(1, _MONDAY, 2),
    "martin_luther_king": _nth(1, _MONDAY, 3),
    "setsubun": _fixed(2, 3),
    "founding_of_japan": _fixed(2, 11),
    "valentine": _fixed(2, 14),
    "presidents": _nth(2, _MONDAY, 3),
    "emperor": _fixed(2, 23),
    "hinamatsuri": _fixed(3, 3),
    "white_day": _fixed(3, 14),
    "st_patrick": _fixed(3, 17),
    "april_fools": _fixed(4, 1),
    "earth": _fixed(4, 22),
    "showa": _fixed(4, 29),
    "golden_week": _fixed(4, 29, 7),
    "may_day": _fixed(5, 1),
    "constitution": _fixed(5, 3),
    "greenery": _fixed(5, 4),
    "children": _fixed(5, 5),
    "mothers": _nth(5, 6, 2),
    "memorial": _nth(5, _MONDAY, -1),
    "fathers": _nth(6, 6, 3),
    "independence": _fixed(7, 4),
    "tanabata": _fixed(7, 7),
    "bastille": _fixed(7, 14),
    "marine": _nth(7, _MONDAY, 3),
    "mountain": _fixed(8, 11),
    "obon": _fixed(8, 13, 4),
    "labor": _nth(9, _MONDAY, 1),
    "aged": _nth(9, _MONDAY, 3),
    "sports": _nth(10, _MONDAY, 2),
    "national_day_of_china": _fixed(10, 1),
    "halloween": _fixed(10, 31),
    "culture": _fixed(11, 3),
    "veterans": _fixed(11, 11),
    "thanksgiving": _nth(11, _THURSDAY, 4),
    "labour_thanksgiving": _fixed(11, 23),
    "black_friday": _nth(11, _THURSDAY, 4, later=1),
    "christmas_eve": _fixed(12, 24),
    "christmas": _fixed(12, 25),
    "boxing": _fixed(12, 26),
    "turn_of_the_year": _fixed(12, 29, 6),
    "new_year_eve": _fixed(12, 31),
    "good_friday": _easter(-2),
    "easter": _easter(),
    "easter_monday": _easter(1),
}
"""The span of each named day in a year."""
