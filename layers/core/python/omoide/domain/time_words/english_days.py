"""English days, weeks and other units beside today: "yesterday", "last Friday"."""

import re
from datetime import timedelta

from omoide.domain.time_words.english_words import (
    DIRECTION,
    DIRECTIONS,
    HOURS,
    LONG_PARTS,
    PARTS,
    SHORT_WEEKDAY,
    WEEKDAY,
    WEEKDAY_NUMBERS,
)
from omoide.domain.time_words.lexicon import Rule
from omoide.domain.time_words.local_calendar import WEEK, Today
from omoide.domain.time_words.mention import Mention
from omoide.domain.time_words.numerals import (
    ORDINALS,
    english_ordinal,
)
from omoide.domain.time_words.relative_units import of_unit

_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|last|\d{{1,2}}(?:st|nd|rd|th))"


def _day_word(match: re.Match[str], today: Today) -> Mention:
    offsets = {"today": 0, "yesterday": -1, "tomorrow": 1}
    return Mention(on=today.day + timedelta(days=offsets[match[1]]))


def _day_beyond(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day + timedelta(days=-2 if match[1] == "before yesterday" else 2))


def _night(match: re.Match[str], today: Today) -> Mention:
    offsets = {"last night": -1, "tonight": 0, "night before last": -2}
    return Mention(on=today.day + timedelta(days=offsets[match[1]]), hours=HOURS["night"])


def _part_of_today(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day, hours=HOURS[match[1]])


def _relative_unit(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, match[2], DIRECTIONS[match[1]])


def _unit_beyond(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, match[1], -2 if match[2] == "before last" else 2)


def _weekday(match: re.Match[str], _today: Today) -> Mention:
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    return Mention(weekday=WEEKDAY_NUMBERS[match[2]], direction=direction)


def _short_weekday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=WEEKDAY_NUMBERS[match[2]], direction=DIRECTIONS.get(match[1]))


def _bare_weekend(_match: re.Match[str], today: Today) -> Mention:
    return Mention(week=today.monday - WEEK, is_weekend=True)


def _part_of_this(match: re.Match[str], today: Today) -> Mention | None:
    whole = of_unit(today, match[2], 0)
    return None if whole is None else whole.joined(Mention(part=PARTS[match[1]]))


def _nth(match: re.Match[str], _today: Today) -> Mention:
    nth = english_ordinal(match[1])
    if match[2] == "week":
        return Mention(nth=nth, is_week=True, is_weak=True)
    if match[2] == "weekend":
        return Mention(nth=nth, is_weekend=True, is_weak=True)
    if match[2] == "day":
        return Mention(day=nth, is_weak=True)
    return Mention(nth=nth, weekday=WEEKDAY_NUMBERS[match[2]], is_weak=True)


def _week_of(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_week=True, is_weak=True)


def _weekend_of(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_weekend=True, is_weak=True)


def _this_unit(match: re.Match[str], today: Today) -> Mention | None:
    unit = of_unit(today, match[1], 0)
    return None if unit is None else unit.joined(Mention(is_weak=True))


DAYS = (
    Rule(pattern=r"\b(?:the )?day (before yesterday|after tomorrow)\b", read=_day_beyond),
    Rule(pattern=r"\b(?:the )?(last night|tonight|night before last)\b", read=_night),
    Rule(pattern=r"\bthis (morning|afternoon|evening)\b", read=_part_of_today),
    Rule(pattern=r"\b(today|yesterday|tomorrow)\b", read=_day_word),
    Rule(
        pattern=r"\b(?:the )?(week|weekend|month|year|quarter) (before last|after next)\b",
        read=_unit_beyond,
    ),
    Rule(
        pattern=rf"\b(?:the )?({_ORDINAL}) (week|weekend|day|{WEEKDAY})(?= (?:of|in) )",
        read=_nth,
    ),
    Rule(
        pattern=rf"\b({DIRECTION}) (week|weekend|month|year|quarter)\b",
        read=_relative_unit,
    ),
    Rule(
        pattern=rf"\b(?:the )?({LONG_PARTS}) of (?:the )?(week|month|year|quarter)\b(?! of| \d)",
        read=_part_of_this,
    ),
    Rule(pattern=r"\b(?:the )?week of(?= )", read=_week_of),
    Rule(pattern=r"\b(?:the )?weekend of(?= )", read=_weekend_of),
    Rule(pattern=r"(?<=of )the (month|year)\b", read=_this_unit),
    Rule(pattern=r"\b(?:on )?the weekend\b(?! before| after| of)", read=_bare_weekend),
    Rule(pattern=rf"\b(?:({DIRECTION}) )?({WEEKDAY})\b( before last)?", read=_weekday),
    Rule(pattern=rf"\b({DIRECTION}|on) ({SHORT_WEEKDAY})\b", read=_short_weekday),
)
"""In this order."""
