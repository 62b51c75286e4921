"""Where words of time stand in Chinese, in simplified and traditional characters.

Dates are those of `japanese_dates`.
"""

import re
from datetime import timedelta

from omoide.domain.time_words.distances import distant, rolling
from omoide.domain.time_words.lexicon import Lexicon, Rule, any_of
from omoide.domain.time_words.local_calendar import WEEK, Today
from omoide.domain.time_words.mention import Mention, Unit
from omoide.domain.time_words.numerals import HAN_NUMBER, han_number
from omoide.domain.time_words.relative_units import of_unit

_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "今天": 0,
    "今日": 0,
    "明天": 1,
    "后天": 2,
    "後天": 2,
    "大后天": 3,
    "大後天": 3,
}
_NIGHTS = {
    "昨晚": (-1, 18, 30),
    "昨夜": (-1, 18, 30),
    "前晚": (-2, 18, 30),
    "今晚": (0, 18, 30),
    "今早": (0, 5, 12),
    "今晨": (0, 5, 12),
    "明早": (1, 5, 12),
    "明晚": (1, 18, 30),
}
_WEEK = "(?:周|週|星期|礼拜|禮拜)"
_WEEKDAYS = {day: number for number, day in enumerate("一二三四五六")} | {"日": 6, "天": 6}
_STEPS = {
    "上上个": -2,
    "上上個": -2,
    "上上": -2,
    "上个": -1,
    "上個": -1,
    "上": -1,
    "这个": 0,
    "這個": 0,
    "这": 0,
    "這": 0,
    "本": 0,
    "下个": 1,
    "下個": 1,
    "下": 1,
    "下下个": 2,
    "下下個": 2,
    "下下": 2,
}
_YEARS = {"大前年": -3, "前年": -2, "后年": 2, "後年": 2}
_UNITS = {
    "天": Unit.DAY,
    "日": Unit.DAY,
    "周": Unit.WEEK,
    "週": Unit.WEEK,
    "星期": Unit.WEEK,
    "礼拜": Unit.WEEK,
    "禮拜": Unit.WEEK,
    "个月": Unit.MONTH,
    "個月": Unit.MONTH,
    "年": Unit.YEAR,
    "小时": Unit.HOUR,
    "小時": Unit.HOUR,
    "分钟": Unit.MINUTE,
    "分鐘": Unit.MINUTE,
}
_UNIT = any_of(_UNITS)
_SEVERAL = ("几", "幾", "数", "數")
_NUMBER = f"(?:{HAN_NUMBER}|[{''.join(_SEVERAL)}])"
_HOURS = {
    "早上": (5, 12),
    "上午": (0, 12),
    "中午": (11, 14),
    "下午": (12, 24),
    "傍晚": (17, 19),
    "晚上": (18, 30),
    "夜里": (18, 30),
    "夜裡": (18, 30),
    "凌晨": (0, 5),
    "清晨": (5, 8),
}
_HOLIDAYS = {
    "国庆节": "national_day_of_china",
    "國慶節": "national_day_of_china",
    "圣诞节": "christmas",
    "聖誕節": "christmas",
    "圣诞": "christmas",
    "平安夜": "christmas_eve",
    "情人节": "valentine",
    "情人節": "valentine",
    "劳动节": "may_day",
    "勞動節": "may_day",
    "感恩节": "thanksgiving",
    "感恩節": "thanksgiving",
    "万圣节": "halloween",
    "萬聖節": "halloween",
    "复活节": "easter",
    "復活節": "easter",
}


def _day(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day + timedelta(days=_DAYS[match[0]]))


def _night(match: re.Match[str], today: Today) -> Mention:
    offset, begin, end = _NIGHTS[match[0]]
    return Mention(on=today.day + timedelta(days=offset), hours=(begin, end))


def _week(match: re.Match[str], today: Today) -> Mention:
    monday = today.monday + _STEPS[match[1]] * WEEK
    if match[2] == "末":
        return Mention(week=monday, is_weekend=True)
    return Mention(week=monday, weekday=_WEEKDAYS[match[2]] if match[2] else None)


def _weekday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=_WEEKDAYS[match[1]])


def _weekend(_match: re.Match[str], today: Today) -> Mention:
    return Mention(week=today.monday - WEEK, is_weekend=True)


def _month(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, "month", _STEPS[match[1]])


def _quarter(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, "quarter", _STEPS[match[1]])


def _year(match: re.Match[str], today: Today) -> Mention:
    return Mention(year=today.day.year + _YEARS[match[0]])


def _count(text: str) -> int:
    return 3 if text in _SEVERAL else han_number(text)


def _ago(match: re.Match[str], today: Today) -> Mention:
    half = 0.5 if match[3] else 0.0
    is_vague = match[1] in _SEVERAL or match[4] is not None
    return distant(today, _UNITS[match[2]], -(_count(match[1]) + half), is_vague=is_vague)


def _half_year_ago(_match: re.Match[str], today: Today) -> Mention:
    return distant(today, Unit.MONTH, -6)


def _ahead(match: re.Match[str], today: Today) -> Mention:
    return distant(today, _UNITS[match[2]], _count(match[1]), is_vague=match[1] in _SEVERAL)


def _rolling(match: re.Match[str], today: Today) -> Mention:
    return rolling(today, _UNITS[match[2]], _count(match[1]))


def _hours(match: re.Match[str], _today: Today) -> Mention:
    return Mention(hours=_HOURS[match[0]], is_weak=True)


def _holiday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(holiday=_HOLIDAYS[match[0]])


def _excluded(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_excluded=True)


CHINESE = Lexicon(
    (
        Rule(
            pattern=f"每(?:个|個)?(?:天|日|年|月|{_WEEK}[一二三四五六日天末]?|晚|早)|周年|週年|周期"
            "|前年(?:比|度|同)",
            read=_excluded,
        ),
        Rule(
            pattern=f"(?:过去|過去|最近|近)的?(?:这|這)?({_NUMBER})[个個]?({_UNIT})(?!前|后|後)",
            read=_rolling,
        ),
        Rule(
            pattern=f"({_NUMBER})[个個]?({_UNIT})(半)?(多|左右)?(?:之前|以前|前(?!半))", read=_ago
        ),
        Rule(pattern="半年(?:之前|以前|前(?!半))", read=_half_year_ago),
        Rule(
            pattern=f"(?<![的第])({_NUMBER})[个個]?({_UNIT})(?:之后|之後|以后|以後|后|後)(?!半)",
            read=_ahead,
        ),
        Rule(pattern=any_of(_DAYS), read=_day),
        Rule(pattern=any_of(_NIGHTS), read=_night),
        Rule(pattern=f"({any_of(_STEPS)}){_WEEK}的?([一二三四五六日天末])?", read=_week),
        Rule(pattern=f"{_WEEK}([一二三四五六日天])(?!期)", read=_weekday),
        Rule(pattern=f"{_WEEK}末", read=_weekend),
        Rule(pattern=f"({any_of(_STEPS)})月", read=_month),
        Rule(pattern=f"({any_of(_STEPS)})季度?", read=_quarter),
        Rule(pattern=any_of(_YEARS), read=_year),
        Rule(pattern=any_of(_HOLIDAYS), read=_holiday),
        Rule(pattern=any_of(_HOURS), read=_hours),
    )
)
"""Beside the Japanese patterns, which find the words that both languages share."""
