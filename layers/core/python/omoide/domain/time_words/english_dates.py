"""English dates, months, seasons and years: "May 5", "in the summer of 2023"."""

import re
from datetime import date

from omoide.domain.time_words.english_words import (
    CLEAR_MONTH,
    DIRECTION,
    DIRECTIONS,
    MONTH,
    MONTH_NUMBERS,
    SEASON,
    SEASONS,
)
from omoide.domain.time_words.lexicon import Rule
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention
from omoide.domain.time_words.numerals import (
    ORDINALS,
    english_ordinal,
)

_MODAL_MAY = re.compile(
    r" ?(?:i|we|you|he|she|they|it|be|have|not|also|the|this|that|my|our|a|an|or may not)\b"
)
_BEFORE_A_MONTH = re.compile(r"\b(?:in|last|since|during|of|until|before|after|between)\s$")
_SPELT_DAY = (
    rf"(?:(?:twenty|thirty)[- ](?:{'|'.join(ORDINALS[:9])})|{'|'.join(reversed(ORDINALS))}"
    r"|thirtieth)"
)
_NO_DATE = (
    r"(?! ?(?:%|am\b|pm\b|people|person|times|items|users|percent|years?|months?|weeks?|days?"
    r"|hours?|words|files|lines|dollars|tokens|characters|steps)|[:.]\d|\d)"
)
_THIS_CENTURY_UNTIL = 70
_TO = r"(?:-|–|to|through|until|till)"
_SUFFIX = r"(?:st|nd|rd|th)"
_NO_SEASON = (
    r"(?! (?:boot|framework|break|roll|cleaning|security|onion|asleep|apart|off|down|behind|short"
    r"|in love|for|into|out|back|of (?!'?\d|last|this|next|the year)))"
)


def _month_number(text: str) -> int:
    return MONTH_NUMBERS[text.rstrip(".")]


def _month_day(match: re.Match[str], _today: Today) -> Mention:
    last = None if match[3] is None else int(match[3])
    return Mention(month=_month_number(match[1]), day=int(match[2]), last_day=last)


def _days_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[3]), day=int(match[1]), last_day=int(match[2]))


def _day_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[2]), day=english_ordinal(match[1]))


def _directed_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[2]), direction=DIRECTIONS[match[1]])


def _month_before_last(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[1]), direction=-2)


def _clear_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=_month_number(match[0]))


def _unclear_month(match: re.Match[str], _today: Today) -> Mention | None:
    after = match.string[match.end() :]
    before = match.string[: match.start()]
    if match[0] == "may" and _MODAL_MAY.match(after) and not _BEFORE_A_MONTH.search(before):
        return None
    return Mention(month=_month_number(match[0]), is_weak=True)


def _season(match: re.Match[str], _today: Today) -> Mention:
    direction = -2 if match[3] else DIRECTIONS.get(match[1] or "")
    is_weak = True if direction is None else None
    return Mention(season=SEASONS[match[2]], direction=direction, is_weak=is_weak)


def _quarter(match: re.Match[str], _today: Today) -> Mention:
    number = int(match[1]) if match[1] else english_ordinal(match[2])
    return Mention(quarter=4 if number < 0 else number, is_weak=True)


def _half_year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(half=int(match[1]), is_weak=True)


def _year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=int(match[1]), is_weak=True)


def _decade(match: re.Match[str], _today: Today) -> Mention:
    return Mention(decade=int(match[1]) if match[1] else 1900 + int(match[2]))


def _iso_day(match: re.Match[str], _today: Today) -> Mention:
    year, month, day = (int(number) for number in match.groups() if number is not None)
    return Mention(on=date(year, month, day))


def _iso_month(match: re.Match[str], _today: Today) -> Mention:
    year, month = (int(number) for number in match.groups() if number is not None)
    return Mention(year=year, month=month)


def _dotted(match: re.Match[str], _today: Today) -> Mention:
    return Mention(on=date(int(match[3]), int(match[2]), int(match[1])))


def _short_year(match: re.Match[str], _today: Today) -> Mention:
    number = int(match[1])
    return Mention(year=number + (2000 if number < _THIS_CENTURY_UNTIL else 1900), is_weak=True)


def _slashed(match: re.Match[str], _today: Today) -> Mention:
    first, second = int(match[1]), int(match[2])
    month, day = (second, first) if first > 12 else (first, second)
    return Mention(on=date(int(match[3]), month, day))


def _first_of_days(match: re.Match[str], _today: Today) -> Mention:
    return Mention(day=int(match[1]), is_weak=True)


def _day_alone(match: re.Match[str], _today: Today) -> Mention:
    return Mention(day=int(match[1]))


DATES = (
    Rule(
        pattern=r"(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])|"
        r"(?<![\d/])(\d{4})/(\d{1,2})/(\d{1,2})(?![\d/])|"
        r"(?<![\d.])(\d{4})\.(\d{1,2})\.(\d{1,2})(?![\d.])",
        read=_iso_day,
    ),
    Rule(
        pattern=r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?![\d/])",
        read=_slashed,
    ),
    Rule(pattern=r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?![\d.])", read=_dotted),
    Rule(pattern=r"(?<=')(\d\d)(?![\w'])", read=_short_year),
    Rule(
        pattern=r"(?<![\d-])((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-])"
        r"|(?<![\d/])((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?![\d/])",
        read=_iso_month,
    ),
    Rule(
        pattern=rf"(?<=between )({MONTH}) (?:the )?(\d{{1,2}}){_SUFFIX}? and (?:the )?"
        rf"(\d{{1,2}}){_SUFFIX}?\b{_NO_DATE}",
        read=_month_day,
    ),
    Rule(
        pattern=rf"\b({MONTH}) (?:the )?(\d{{1,2}}){_SUFFIX}?"
        rf"(?: ?{_TO} ?(\d{{1,2}}){_SUFFIX}?)?\b{_NO_DATE}",
        read=_month_day,
    ),
    Rule(
        pattern=rf"\b(\d{{1,2}}){_SUFFIX}? ?{_TO} ?(?:the )?(\d{{1,2}}){_SUFFIX}?(?: of)?"
        rf" ({MONTH})\b",
        read=_days_month,
    ),
    Rule(
        pattern=rf"\b(\d{{1,2}}{_SUFFIX}?|{_SPELT_DAY})(?: day)?(?: of)? ({MONTH})\b",
        read=_day_month,
    ),
    Rule(pattern=rf"\b({MONTH}) before last\b", read=_month_before_last),
    Rule(
        pattern=rf"\b({DIRECTION}) ({MONTH})(?![a-z])",
        read=_directed_month,
    ),
    Rule(pattern=rf"\b{CLEAR_MONTH}\b", read=_clear_month),
    Rule(pattern=rf"\b{MONTH}(?![a-z])", read=_unclear_month),
    Rule(
        pattern=rf"\b(?:({DIRECTION}) )?({SEASON})\b( before last)?{_NO_SEASON}",
        read=_season,
    ),
    Rule(
        pattern=r"\b(?:q([1-4])|(first|second|third|fourth|last|1st|2nd|3rd|4th) quarter)\b",
        read=_quarter,
    ),
    Rule(pattern=r"\bh([12])\b", read=_half_year),
    Rule(
        pattern=r"\b(?:the )?((?:19|20)\d0)'?s\b"
        r"|\b(?:the '?|(?<=early )|(?<=late )|(?<=mid )|(?<=mid-))([5-9]0)'?s\b",
        read=_decade,
    ),
    Rule(pattern=rf"(?<![\d.,/$€£-])\b((?:19|20)\d\d)\b{_NO_DATE}", read=_year),
    Rule(
        pattern=r"\bthe (\d{1,2})(?:st|nd|rd|th)(?= (?:to|and|through|until) )",
        read=_first_of_days,
    ),
    Rule(
        pattern=r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?= of (?:last|this|next|the) )",
        read=_day_alone,
    ),
    Rule(
        pattern=r"\bon the (\d{1,2})(?:st|nd|rd|th)\b"
        r"(?= ?(?:$|[?.!,;]|of (?:last|this|next)|at |in |with |and |did |was |for |we |i ))",
        read=_day_alone,
    ),
)
"""In this order."""
