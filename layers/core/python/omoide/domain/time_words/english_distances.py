"""English distances: "three weeks ago", "the past 24 hours"."""

import re

from omoide.domain.time_words.distances import distant, rolling
from omoide.domain.time_words.lexicon import Rule
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention, Unit
from omoide.domain.time_words.numerals import (
    ENGLISH_NUMBER,
    VAGUE_WORDS,
    english_number,
)

_UNIT = r"(?:second|sec|minute|min|hour|hr|h|day|fortnight|week|wk|month|year|yr|decade)"
_ABOUT = "about|around|roughly|approximately|almost|nearly|over|more than|some|maybe|like"
_UNITS = {
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
_TOLD_IN_THE_PAST = re.compile(r"\b(?:did|was|were|had|took|went)\b")


def _count(text: str) -> float:
    return english_number(text)


def _rolling(match: re.Match[str], today: Today) -> Mention:
    unit, factor = _UNITS[match[3].removesuffix("s")]
    count = _count(match[2]) if match[2] else 1
    return rolling(today, unit, count * factor, is_future=match[1] in ("next", "coming"))


def _rolling_one(match: re.Match[str], today: Today) -> Mention:
    unit, factor = _UNITS[match[1]]
    return rolling(today, unit, factor)


def _ago(match: re.Match[str], today: Today) -> Mention:
    unit, factor = _UNITS[match[5].removesuffix("s")]
    half = 0.5 if match[4] or match[6] else 0.0
    near = _count(match[2]) + half
    is_vague = match[1] is not None or any(word in match[2] for word in VAGUE_WORDS[1:])
    far = None if match[3] is None else -factor * _count(match[3])
    return distant(today, unit, -factor * near, far, is_vague=is_vague)


def _half_ago(match: re.Match[str], today: Today) -> Mention:
    unit, factor = _UNITS[match[1]]
    if unit is Unit.DAY:
        unit, factor = Unit.HOUR, 24
    return distant(today, unit, -factor / 2)


def _ahead(match: re.Match[str], today: Today) -> Mention | None:
    is_certain = match[4] is not None
    if not is_certain and (match[2] in ("a", "an") or _TOLD_IN_THE_PAST.search(match.string)):
        return None
    if not is_certain and match[1] is None:
        return None
    unit, factor = _UNITS[match[3].removesuffix("s")]
    return distant(today, unit, factor * _count(match[2]))


def _rolling_half(match: re.Match[str], today: Today) -> Mention:
    unit, factor = _UNITS[match[1]]
    if unit in (Unit.DAY, Unit.WEEK, Unit.MONTH):
        unit, factor = Unit.HOUR, {Unit.DAY: 24, Unit.WEEK: 168, Unit.MONTH: 730}[unit]
    return rolling(today, unit, factor / 2)


DISTANCES = (
    Rule(
        pattern=rf"\b(?:(?:in|over|during|within|for) )?(?:(?:the|these|this|my|our) )?"
        rf"(last|past|previous|next|coming) ({ENGLISH_NUMBER}) ?({_UNIT}s?)\b",
        read=_rolling,
    ),
    Rule(
        pattern=rf"\b(?:(?:in|over|during|within|for) )?the (?:last|past) half(?: an?)?"
        rf" ({_UNIT})\b",
        read=_rolling_half,
    ),
    Rule(
        pattern=rf"\b(?:(?:in|over|during|within|for) )?the past ({_UNIT})\b",
        read=_rolling_one,
    ),
    Rule(
        pattern=rf"\b(?:in|over|during|within|for) the last ({_UNIT})\b(?! of)",
        read=_rolling_one,
    ),
    Rule(
        pattern=rf"\b(?:({_ABOUT}) )?({ENGLISH_NUMBER})(?:(?: ?- ?| or | to )({ENGLISH_NUMBER}))?"
        rf"( and a half)? ?({_UNIT}s?)( and a half)?(?: ago|(?<=s) back)\b(?: today)?",
        read=_ago,
    ),
    Rule(pattern=rf"\bhalf an? ({_UNIT}) ago\b", read=_half_ago),
    Rule(
        pattern=rf"\b(in )?({ENGLISH_NUMBER}) ({_UNIT}s?)(?:\b('s? time| from (?:now|today))?)\b",
        read=_ahead,
    ),
)
"""In this order."""
