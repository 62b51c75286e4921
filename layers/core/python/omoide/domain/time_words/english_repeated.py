"""English words that count what comes again: "two Fridays ago", "this time last year"."""

import re

from omoide.domain.time_words.distances import distant
from omoide.domain.time_words.english_words import (
    HOLIDAY_NAMES,
    SEASON,
    SEASONS,
    WEEKDAY,
    WEEKDAY_NUMBERS,
)
from omoide.domain.time_words.lexicon import Rule
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention, Unit
from omoide.domain.time_words.numerals import ENGLISH_NUMBER, english_number

_NAMED = [(re.compile(pattern), name) for pattern, name in HOLIDAY_NAMES.items()]
_BEFORE = {"year": Unit.YEAR, "month": Unit.MONTH, "week": Unit.WEEK}


def _weekdays_ago(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=WEEKDAY_NUMBERS[match[2]], direction=-english_number(match[1]))


def _seasons_ago(match: re.Match[str], _today: Today) -> Mention:
    return Mention(season=SEASONS[match[2]], direction=-english_number(match[1]))


def _holidays_ago(match: re.Match[str], _today: Today) -> Mention:
    name = next(name for pattern, name in _NAMED if pattern.fullmatch(match[2]))
    return Mention(holiday=name, direction=-english_number(match[1]))


def _weekday_after_next(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=WEEKDAY_NUMBERS[match[1]], direction=2)


def _same_day(match: re.Match[str], today: Today) -> Mention:
    return distant(today, _BEFORE[match[1]], -1)


REPEATED = (
    Rule(pattern=rf"\b({ENGLISH_NUMBER}) ({WEEKDAY})s? ago\b", read=_weekdays_ago),
    Rule(pattern=rf"\b({ENGLISH_NUMBER}) ({SEASON})s? ago\b", read=_seasons_ago),
    Rule(
        pattern=rf"\b({ENGLISH_NUMBER}) ({'|'.join(HOLIDAY_NAMES)})(?:e?s)? ago\b",
        read=_holidays_ago,
    ),
    Rule(pattern=rf"\b(?:the )?({WEEKDAY}) after next\b", read=_weekday_after_next),
    Rule(
        pattern=r"\b(?:on )?(?:this|the same) (?:day|time) last (year|month|week)\b",
        read=_same_day,
    ),
)
"""In this order."""
