"""English holidays, hours of the day, parts of longer times, and habits, which are no times."""

import re

from omoide.domain.time_words.english_words import (
    DIRECTION,
    DIRECTIONS,
    HOLIDAY_NAMES,
    HOURS,
    LONG_PARTS,
    PARTS,
)
from omoide.domain.time_words.lexicon import Rule
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention

_NAMED = [(re.compile(pattern), name) for pattern, name in HOLIDAY_NAMES.items()]


def _holiday(match: re.Match[str], _today: Today) -> Mention:
    name = next(name for pattern, name in _NAMED if pattern.fullmatch(match[2]))
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    return Mention(holiday=name, direction=direction)


def _part(match: re.Match[str], _today: Today) -> Mention:
    return Mention(part=PARTS[match[1]], is_weak=True)


def _hours(match: re.Match[str], _today: Today) -> Mention:
    return Mention(hours=HOURS[match[1]], is_weak=True)


def _clock(match: re.Match[str], _today: Today) -> Mention | None:
    hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0) + int(match[2] or 0) / 60
    return Mention(hours=(hour, hour + 1), is_weak=True)


def _excluded(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_excluded=True)


HABITS = (
    Rule(pattern=r"\b(?:every|each) (?:other |single )?[a-z]+", read=_excluded),
    Rule(
        pattern=r"\b(?:what|which) (?:day|date|time|week|month)s? of (?:the )?"
        r"(?:day|week|month|year)\b",
        read=_excluded,
    ),
)
"""What comes again and again: excluded, with the word after it."""

HOLIDAYS = (
    Rule(
        pattern=rf"\b(?:({DIRECTION}) )?({'|'.join(HOLIDAY_NAMES)})(?![a-z])( before last)?",
        read=_holiday,
    ),
)
"""Named days."""

HOURS_AND_PARTS = (
    Rule(pattern=r"\b(early|mid|late)(?: in)?(?=[ -])", read=_part),
    Rule(pattern=rf"\b(?:the )?({LONG_PARTS})(?: of)?(?= )", read=_part),
    Rule(pattern=rf"\b(?:in the |at |during the )?({'|'.join(HOURS)})\b", read=_hours),
    Rule(pattern=r"\b(?:at |around )?(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b", read=_clock),
)
"""What stands with a time."""
