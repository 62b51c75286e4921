"""Where words of time stand in Korean."""

import re
from datetime import date, timedelta

from omoide.domain.time_words.distances import distant, rolling
from omoide.domain.time_words.lexicon import Lexicon, Rule, any_of
from omoide.domain.time_words.local_calendar import WEEK, Today
from omoide.domain.time_words.mention import Mention, Part, Unit
from omoide.domain.time_words.numerals import KOREAN_NUMBER, korean_number
from omoide.domain.time_words.relative_units import of_unit

_DAYS = {
    "그끄저께": -3,
    "그저께": -2,
    "그제": -2,
    "엊그제": -2,
    "어제": -1,
    "오늘": 0,
    "내일": 1,
    "모레": 2,
    "글피": 3,
}
_NIGHTS = {
    "어젯밤": (-1, 18, 30),
    "간밤": (-1, 18, 30),
    "오늘밤": (0, 18, 30),
}
_UNITS = {
    "지지난주": ("week", -2),
    "저저번주": ("week", -2),
    "지난주": ("week", -1),
    "저번주": ("week", -1),
    "이번주": ("week", 0),
    "다음주": ("week", 1),
    "지지난달": ("month", -2),
    "지난달": ("month", -1),
    "저번달": ("month", -1),
    "이번달": ("month", 0),
    "이달": ("month", 0),
    "다음달": ("month", 1),
    "재작년": ("year", -2),
    "작년": ("year", -1),
    "지난해": ("year", -1),
    "올해": ("year", 0),
    "금년": ("year", 0),
    "내년": ("year", 1),
    "내후년": ("year", 2),
    "지난분기": ("quarter", -1),
    "이번분기": ("quarter", 0),
    "다음분기": ("quarter", 1),
}
_SPACED = any_of(re.sub("(?=(?:주|달|분기)$)", " ?", word) for word in _UNITS)
_WEEKENDS = {"지지난": -2, "지난": -1, "저번": -1, "이번": 0, "다음": 1}
_TOWARDS = {"지난": -1, "저번": -1, "이번": 0, "다음": 1}
_WEEKDAYS = "월화수목금토일"
_SEASONS = {"봄": 0, "여름": 1, "가을": 2, "겨울": 3}
_DISTANCES = {
    "분": Unit.MINUTE,
    "시간": Unit.HOUR,
    "일": Unit.DAY,
    "주": Unit.WEEK,
    "주일": Unit.WEEK,
    "개월": Unit.MONTH,
    "달": Unit.MONTH,
    "년": Unit.YEAR,
    "해": Unit.YEAR,
}
_DISTANCE = any_of(_DISTANCES)
_NATIVE_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "열흘": 10, "보름": 15}
_HOURS = {
    "아침": (5, 12),
    "오전": (0, 12),
    "오후": (12, 24),
    "저녁": (18, 24),
    "밤": (18, 30),
    "새벽": (0, 6),
    "점심": (11, 14),
    "낮": (9, 18),
}
_PARTS = {
    "초": Part.BEGINNING,
    "초순": Part.EARLY,
    "중순": Part.MIDDLE,
    "하순": Part.LATE,
    "말": Part.END,
}
_HOLIDAYS = {"크리스마스": "christmas", "성탄절": "christmas", "어린이날": "children"}


def _day(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day + timedelta(days=_DAYS[match[1]]))


def _night(match: re.Match[str], today: Today) -> Mention:
    offset, begin, end = _NIGHTS[match[0]]
    return Mention(on=today.day + timedelta(days=offset), hours=(begin, end))


def _unit(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, *_UNITS[match[0].replace(" ", "")])


def _weekend(match: re.Match[str], today: Today) -> Mention:
    steps = _WEEKENDS[match[1]] if match[1] else -1
    return Mention(week=today.monday + steps * WEEK, is_weekend=True)


def _weekday(match: re.Match[str], _today: Today) -> Mention:
    direction = _TOWARDS[match[1]] if match[1] else None
    return Mention(weekday=_WEEKDAYS.index(match[2]), direction=direction)


def _ago(match: re.Match[str], today: Today) -> Mention:
    is_vague = match[1] is not None or match[4] is not None
    unit = _DISTANCES[match[3]]
    return distant(today, unit, -korean_number(match[2]), is_vague=is_vague)


def _native_days_ago(match: re.Match[str], today: Today) -> Mention:
    return distant(today, Unit.DAY, -_NATIVE_DAYS[match[1]])


def _ahead(match: re.Match[str], today: Today) -> Mention:
    return distant(today, _DISTANCES[match[2]], korean_number(match[1]))


def _rolling(match: re.Match[str], today: Today) -> Mention:
    return rolling(today, _DISTANCES[match[2]], korean_number(match[1]))


def _full_date(match: re.Match[str], _today: Today) -> Mention:
    return Mention(on=date(int(match[1]), int(match[2]), int(match[3])))


def _year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=int(match[1]))


def _month_day(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=int(match[1]), day=int(match[2]))


def _month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=int(match[1]))


def _season(match: re.Match[str], _today: Today) -> Mention:
    direction = _TOWARDS[match[1]] if match[1] else None
    return Mention(
        season=_SEASONS[match[2]], direction=direction, is_weak=None if match[1] else True
    )


def _hours(match: re.Match[str], _today: Today) -> Mention:
    return Mention(hours=_HOURS[match[1]], is_weak=True)


def _part(match: re.Match[str], _today: Today) -> Mention:
    return Mention(part=_PARTS[match[1]], is_weak=True)


def _holiday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(holiday=_HOLIDAYS[match[0]])


def _excluded(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_excluded=True)


_DIRECTION = f"(?:({any_of(_TOWARDS)}) ?)?"
_WORD_BEGINS = "(?<![가-힣])"
_NO_WORD = "(?![가-힣]{3})"

KOREAN = Lexicon(
    (
        Rule(
            pattern="매(?:일|주|달|월|년)(?: ?[월화수목금토일]요일)?|[월화수목금토일]요일마다",
            read=_excluded,
        ),
        Rule(pattern=f"(?:지난|최근) ?({KOREAN_NUMBER}) ?({_DISTANCE})(?:간|동안)?", read=_rolling),
        Rule(
            pattern=f"(약 ?)?({KOREAN_NUMBER}) ?({_DISTANCE})( ?(?:정도|쯤|가량))? ?전", read=_ago
        ),
        Rule(pattern=f"({any_of(_NATIVE_DAYS)}) ?전", read=_native_days_ago),
        Rule(pattern=f"({KOREAN_NUMBER}) ?({_DISTANCE}) ?(?:후|뒤)", read=_ahead),
        Rule(pattern=f"{_WORD_BEGINS}({any_of(_DAYS)}){_NO_WORD}", read=_day),
        Rule(pattern=any_of(_NIGHTS), read=_night),
        Rule(pattern=f"(?:({any_of(_WEEKENDS)}) ?)?주말", read=_weekend),
        Rule(pattern=_SPACED, read=_unit),
        Rule(pattern=f"{_DIRECTION}([{_WEEKDAYS}])요일", read=_weekday),
        Rule(pattern=r"(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일", read=_full_date),
        Rule(pattern=r"(?<!\d)((?:19|20)\d\d)년(?!간|전|후)", read=_year),
        Rule(pattern=r"(?<!\d)(\d{1,2})월 ?(\d{1,2})일", read=_month_day),
        Rule(pattern=r"(?<!\d)(\d{1,2})월", read=_month),
        Rule(pattern=any_of(_HOLIDAYS), read=_holiday),
        Rule(
            pattern=f"{_DIRECTION}{_WORD_BEGINS}({any_of(_SEASONS)})(?=[에의 ]|방학|부터|까지|$)",
            read=_season,
        ),
        Rule(pattern=f"{_WORD_BEGINS}({any_of(_HOURS)})(?=[에의은는 ]|$)", read=_hours),
        Rule(pattern=f"({any_of(_PARTS)})(?=[에의 ]|부터|까지|$)", read=_part),
    )
)
"""In this order."""
