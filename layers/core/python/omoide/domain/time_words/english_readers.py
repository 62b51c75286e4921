"""What English words of time say. Each reader is for the pattern of the same name."""

import re
from datetime import date, timedelta

from omoide.domain.time_words.distances import distant, rolling
from omoide.domain.time_words.english_words import (
    DIRECTIONS,
    HOLIDAY_NAMES,
    HOURS,
    MONTH_NUMBERS,
    SEASONS,
    WEEKDAY_NUMBERS,
)
from omoide.domain.time_words.local_calendar import WEEK, Today
from omoide.domain.time_words.mention import Mention, Part, Unit
from omoide.domain.time_words.numerals import (
    VAGUE_WORDS,
    english_number,
    english_ordinal,
)

_UNIT = r"(?:second|sec|minute|min|hour|hr|h|day|fortnight|week|wk|month|year|yr|decade)"
UNITS = {
    "second": (Unit.SECOND, 1),
    "sec": (Unit.SECOND, 1),
    "minute": (Unit.MINUTE, 1),
    "min": (Unit.MINUTE, 1),
    "hour": (Unit.HOUR, 1),
    "hr": (Unit.HOUR, 1),
    "h": (Unit.HOUR, 1),
    "day": (Unit.DAY, 1),
    "week": (Unit.WEEK, 1),
    "wk": (Unit.WEEK, 1),
    "fortnight": (Unit.WEEK, 2),
    "month": (Unit.MONTH, 1),
    "year": (Unit.YEAR, 1),
    "yr": (Unit.YEAR, 1),
    "decade": (Unit.YEAR, 10),
}
_ABOUT = "about|around|roughly|approximately|almost|nearly|over|more than|some|maybe|like"
_TOLD_IN_THE_PAST = re.compile(r"\b(?:did|was|were|had|took|went)\b")
_MODAL_MAY = re.compile(
    r" ?(?:i|we|you|he|she|they|it|be|have|not|also|the|this|that|my|our|a|an|or may not)\b"
)
_BEFORE_A_MONTH = re.compile(r"\b(?:in|last|since|during|of|until|before|after|between)\s$")
PARTS = {
    "early": Part.EARLY,
    "mid": Part.MIDDLE,
    "late": Part.LATE,
    "middle": Part.MIDDLE,
    "beginning": Part.BEGINNING,
    "start": Part.BEGINNING,
    "end": Part.END,
    "first half": Part.FIRST_HALF,
    "second half": Part.SECOND_HALF,
    "latter half": Part.SECOND_HALF,
    "first part": Part.EARLY,
    "latter part": Part.LATE,
}
_HOLIDAYS = [(re.compile(pattern), name) for pattern, name in HOLIDAY_NAMES.items()]


def _count(text: str) -> float:
    return english_number(text)


def read_rolling(match: re.Match[str], today: Today) -> Mention:
    unit, factor = UNITS[match[3].removesuffix("s")]
    count = _count(match[2]) if match[2] else 1
    return rolling(today, unit, count * factor, is_future=match[1] in ("next", "coming"))


def read_rolling_one(match: re.Match[str], today: Today) -> Mention:
    unit, factor = UNITS[match[1]]
    return rolling(today, unit, factor)


def read_ago(match: re.Match[str], today: Today) -> Mention:
    unit, factor = UNITS[match[5].removesuffix("s")]
    half = 0.5 if match[4] or match[6] else 0.0
    near = _count(match[2]) + half
    is_vague = match[1] is not None or any(word in match[2] for word in VAGUE_WORDS[1:])
    far = None if match[3] is None else -factor * _count(match[3])
    return distant(today, unit, -factor * near, far, is_vague=is_vague)


def read_half_ago(match: re.Match[str], today: Today) -> Mention:
    unit, factor = UNITS[match[1]]
    if unit is Unit.DAY:
        unit, factor = Unit.HOUR, 24
    return distant(today, unit, -factor / 2)


def read_ahead(match: re.Match[str], today: Today) -> Mention | None:
    is_certain = match[4] is not None
    if not is_certain and (match[2] in ("a", "an") or _TOLD_IN_THE_PAST.search(match.string)):
        return None
    if not is_certain and match[1] is None:
        return None
    unit, factor = UNITS[match[3].removesuffix("s")]
    return distant(today, unit, factor * _count(match[2]))


def read_day_word(match: re.Match[str], today: Today) -> Mention:
    offsets = {"today": 0, "yesterday": -1, "tomorrow": 1}
    return Mention(on=today.day + timedelta(days=offsets[match[1]]))


def read_day_beyond(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day + timedelta(days=-2 if match[1] == "before yesterday" else 2))


def read_night(match: re.Match[str], today: Today) -> Mention:
    offsets = {"last night": -1, "tonight": 0, "night before last": -2}
    return Mention(on=today.day + timedelta(days=offsets[match[1]]), hours=HOURS["night"])


def read_part_of_today(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day, hours=HOURS[match[1]])


def read_relative_unit(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, match[2], DIRECTIONS[match[1]])


def read_unit_beyond(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, match[1], -2 if match[2] == "before last" else 2)


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


def read_weekday(match: re.Match[str], _today: Today) -> Mention:
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    return Mention(weekday=WEEKDAY_NUMBERS[match[2]], direction=direction)


def read_short_weekday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=WEEKDAY_NUMBERS[match[2]], direction=DIRECTIONS.get(match[1]))


def read_bare_weekend(_match: re.Match[str], today: Today) -> Mention:
    return Mention(week=today.monday - WEEK, is_weekend=True)


def _month_number(text: str) -> int:
    return MONTH_NUMBERS[text.rstrip(".")]


def read_month_day(match: re.Match[str], _today: Today) -> Mention:
    last = None if match[3] is None else int(match[3])
    return Mention(month=_month_number(match[1]), day=int(match[2]), last_day=last)


def read_day_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[2]), day=english_ordinal(match[1]))


def read_directed_month(match: re.Match[str], _today: Today) -> Mention:
    direction = -2 if match[3] else DIRECTIONS[match[1]]
    return Mention(month=_month_number(match[2]), direction=direction)


def read_clear_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[0]))


def read_unclear_month(match: re.Match[str], _today: Today) -> Mention | None:
    after = match.string[match.end() :]
    before = match.string[: match.start()]
    if match[0] == "may" and _MODAL_MAY.match(after) and not _BEFORE_A_MONTH.search(before):
        return None
    return Mention(month=_month_number(match[0]), is_weak=True)


def read_season(match: re.Match[str], _today: Today) -> Mention:
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    is_weak = True if direction is None else None
    return Mention(season=SEASONS[match[2]], direction=direction, is_weak=is_weak)


def read_quarter(match: re.Match[str], _today: Today) -> Mention:
    number = int(match[1]) if match[1] else english_ordinal(match[2])
    return Mention(quarter=4 if number < 0 else number, is_weak=True)


def read_half_year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(half=int(match[1]), is_weak=True)


def read_year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=int(match[1]), is_weak=True)


def read_decade(match: re.Match[str], _today: Today) -> Mention:
    return Mention(decade=int(match[1]) if match[1] else 1900 + int(match[2]))


def read_iso_day(match: re.Match[str], _today: Today) -> Mention:
    year, month, day = (int(number) for number in match.groups() if number is not None)
    return Mention(on=date(year, month, day))


def read_iso_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=int(match[1]), month=int(match[2]))


def read_slashed(match: re.Match[str], _today: Today) -> Mention:
    first, second = int(match[1]), int(match[2])
    month, day = (second, first) if first > 12 else (first, second)
    return Mention(on=date(int(match[3]), month, day))


def read_holiday(match: re.Match[str], _today: Today) -> Mention:
    name = next(name for pattern, name in _HOLIDAYS if pattern.fullmatch(match[2]))
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    return Mention(holiday=name, direction=direction)


def read_part(match: re.Match[str], _today: Today) -> Mention:
    return Mention(part=PARTS[match[1]], is_weak=True)


def read_part_of_this(match: re.Match[str], today: Today) -> Mention | None:
    whole = of_unit(today, match[2], 0)
    return None if whole is None else whole.joined(Mention(part=PARTS[match[1]]))


def read_nth(match: re.Match[str], _today: Today) -> Mention:
    nth = english_ordinal(match[1])
    if match[2] == "week":
        return Mention(nth=nth, is_week=True, is_weak=True)
    if match[2] == "weekend":
        return Mention(nth=nth, is_weekend=True, is_weak=True)
    if match[2] == "day":
        return Mention(day=nth, is_weak=True)
    return Mention(nth=nth, weekday=WEEKDAY_NUMBERS[match[2]], is_weak=True)


def read_week_of(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_week=True, is_weak=True)


def read_hours(match: re.Match[str], _today: Today) -> Mention:
    return Mention(hours=HOURS[match[1]], is_weak=True)


def read_clock(match: re.Match[str], _today: Today) -> Mention | None:
    hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0) + int(match[2] or 0) / 60
    return Mention(hours=(hour, hour + 1), is_weak=True)


def read_day_alone(match: re.Match[str], _today: Today) -> Mention:
    return Mention(day=int(match[1]))


def read_excluded(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_excluded=True)
