"""Where words of time stand in English, in lower case."""

from omoide.domain.time_words import english_readers as readers
from omoide.domain.time_words.english_words import (
    CLEAR_MONTH,
    DIRECTION,
    HOLIDAY_NAMES,
    HOURS,
    MONTH,
    SEASON,
    SHORT_WEEKDAY,
    WEEKDAY,
)
from omoide.domain.time_words.lexicon import Lexicon, Rule
from omoide.domain.time_words.numerals import ENGLISH_NUMBER, ORDINALS

_UNIT = r"(?:second|sec|minute|min|hour|hr|h|day|fortnight|week|wk|month|year|yr|decade)"
_ABOUT = "about|around|roughly|approximately|almost|nearly|over|more than|some|maybe|like"
_NUMBER = ENGLISH_NUMBER
_ORDINAL = rf"(?:{'|'.join(ORDINALS)}|last|\d{{1,2}}(?:st|nd|rd|th))"
_SPELT_DAY = (
    rf"(?:(?:twenty|thirty)[- ](?:{'|'.join(ORDINALS[:9])})|{'|'.join(reversed(ORDINALS))}"
    r"|thirtieth)"
)
_NO_DATE = (
    r"(?! ?(?:%|am\b|pm\b|people|person|times|items|users|percent|years?|months?|weeks?|days?"
    r"|hours?|words|files|lines|dollars|tokens|characters|steps)|[:.]\d|\d)"
)
_LONG_PARTS = "beginning|start|end|middle|first half|second half|latter half|first part|latter part"
_TO = r"(?:-|–|to|through|until|till)"
_SUFFIX = r"(?:st|nd|rd|th)"
_NO_SEASON = (
    r"(?! (?:boot|framework|break|roll|cleaning|security|onion|asleep|apart|off|down|behind|short"
    r"|in love|for|into|out|back|of (?!\d|last|this|next|the year)))"
)

_DISTANCES = (
    Rule(
        pattern=rf"\b(?:(?:in|over|during|within|for) )?(?:(?:the|these|this|my|our) )?"
        rf"(last|past|previous|next|coming) ({_NUMBER}) ?({_UNIT}s?)\b",
        read=readers.read_rolling,
    ),
    Rule(
        pattern=rf"\b(?:(?:in|over|during|within|for) )?the past ({_UNIT})\b",
        read=readers.read_rolling_one,
    ),
    Rule(
        pattern=rf"\b(?:in|over|during|within|for) the last ({_UNIT})\b(?! of)",
        read=readers.read_rolling_one,
    ),
    Rule(
        pattern=rf"\b(?:({_ABOUT}) )?({_NUMBER})(?:(?: ?- ?| or | to )({_NUMBER}))?( and a half)?"
        rf" ?({_UNIT}s?)( and a half)?(?: ago|(?<=s) back)\b(?: today)?",
        read=readers.read_ago,
    ),
    Rule(pattern=rf"\bhalf an? ({_UNIT}) ago\b", read=readers.read_half_ago),
    Rule(
        pattern=rf"\b(in )?({_NUMBER}) ({_UNIT}s?)(?:\b('s? time| from (?:now|today))?)\b",
        read=readers.read_ahead,
    ),
)
_DAYS = (
    Rule(
        pattern=r"\b(?:the )?day (before yesterday|after tomorrow)\b", read=readers.read_day_beyond
    ),
    Rule(pattern=r"\b(?:the )?(last night|tonight|night before last)\b", read=readers.read_night),
    Rule(pattern=r"\bthis (morning|afternoon|evening)\b", read=readers.read_part_of_today),
    Rule(pattern=r"\b(today|yesterday|tomorrow)\b", read=readers.read_day_word),
    Rule(
        pattern=r"\b(?:the )?(week|weekend|month|year|quarter) (before last|after next)\b",
        read=readers.read_unit_beyond,
    ),
    Rule(
        pattern=rf"\b(?:the )?({_ORDINAL}) (week|weekend|day|{WEEKDAY})(?= (?:of|in) )",
        read=readers.read_nth,
    ),
    Rule(
        pattern=rf"\b({DIRECTION}) (week|weekend|month|year|quarter)\b",
        read=readers.read_relative_unit,
    ),
    Rule(
        pattern=rf"\b(?:the )?({_LONG_PARTS}) of (?:the )?(week|month|year|quarter)\b(?! of| \d)",
        read=readers.read_part_of_this,
    ),
    Rule(pattern=r"\bthe week of(?= )", read=readers.read_week_of),
    Rule(pattern=r"\b(?:on )?the weekend\b", read=readers.read_bare_weekend),
    Rule(pattern=rf"\b(?:({DIRECTION}) )?({WEEKDAY})\b( before last)?", read=readers.read_weekday),
    Rule(pattern=rf"\b({DIRECTION}|on) ({SHORT_WEEKDAY})\b", read=readers.read_short_weekday),
)
_DATES = (
    Rule(
        pattern=r"(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])|"
        r"(?<![\d/])(\d{4})/(\d{1,2})/(\d{1,2})(?![\d/])",
        read=readers.read_iso_day,
    ),
    Rule(
        pattern=r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?![\d/])",
        read=readers.read_slashed,
    ),
    Rule(
        pattern=r"(?<![\d-])((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-])", read=readers.read_iso_month
    ),
    Rule(
        pattern=rf"\b({MONTH}) (?:the )?(\d{{1,2}}){_SUFFIX}?"
        rf"(?: ?{_TO} ?(\d{{1,2}}){_SUFFIX}?)?\b{_NO_DATE}",
        read=readers.read_month_day,
    ),
    Rule(
        pattern=rf"\b(\d{{1,2}}{_SUFFIX}?|{_SPELT_DAY})(?: day)?(?: of)? ({MONTH})\b",
        read=readers.read_day_month,
    ),
    Rule(
        pattern=rf"\b({DIRECTION}) ({MONTH})(?![a-z])( before last)?",
        read=readers.read_directed_month,
    ),
    Rule(pattern=rf"\b{CLEAR_MONTH}\b", read=readers.read_clear_month),
    Rule(pattern=rf"\b{MONTH}(?![a-z])", read=readers.read_unclear_month),
    Rule(
        pattern=rf"\b(?:({DIRECTION}) )?({SEASON})\b( before last)?{_NO_SEASON}",
        read=readers.read_season,
    ),
    Rule(
        pattern=r"\b(?:q([1-4])|(first|second|third|fourth|last|1st|2nd|3rd|4th) quarter)\b",
        read=readers.read_quarter,
    ),
    Rule(pattern=r"\bh([12])\b", read=readers.read_half_year),
    Rule(pattern=r"\b(?:the )?((?:19|20)\d0)'?s\b|\bthe '?([5-9]0)'?s\b", read=readers.read_decade),
    Rule(pattern=rf"(?<![\d.,/$€£-])\b((?:19|20)\d\d)\b{_NO_DATE}", read=readers.read_year),
    Rule(
        pattern=r"\bon the (\d{1,2})(?:st|nd|rd|th)\b"
        r"(?= ?(?:$|[?.!,;]|of (?:last|this|next)|at |in |with |and |did |was |for |we |i ))",
        read=readers.read_day_alone,
    ),
)
_REST = (
    Rule(
        pattern=rf"\b(?:({DIRECTION}) )?({'|'.join(HOLIDAY_NAMES)})(?![a-z])( before last)?",
        read=readers.read_holiday,
    ),
    Rule(pattern=r"\b(early|mid|late)(?: in)?(?=[ -])", read=readers.read_part),
    Rule(pattern=rf"\b(?:the )?({_LONG_PARTS})(?: of)?(?= )", read=readers.read_part),
    Rule(pattern=rf"\b(?:in the |at |during the )?({'|'.join(HOURS)})\b", read=readers.read_hours),
    Rule(pattern=r"\b(?:at |around )?(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b", read=readers.read_clock),
)
_HABITS = (Rule(pattern=r"\b(?:every|each) (?:other |single )?[a-z]+", read=readers.read_excluded),)

ENGLISH = Lexicon((*_HABITS, *_DISTANCES, *_DAYS, *_REST[:1], *_DATES, *_REST[1:]))
"""Habits ("every Monday") come first, so that nothing in them is taken for a time."""
