"""Japanese and Chinese dates, months, seasons and years: 2024年5月3日, 令和6年, 去年の夏."""

import re

from omoide.domain.time_words.lexicon import Rule, any_of
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention, Part
from omoide.domain.time_words.numerals import HAN_NUMBER, han_number

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_ERA_LETTERS = {"r": 2018, "h": 1988, "s": 1925}
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_SEASON_DIRECTIONS = {
    "この前の": -1,
    "前の": -1,
    "去る": -1,
    "今度の": 1,
    "次の": 1,
    "この": 0,
    "今": 0,
}
_NO_YEAR = "(?!間|前(?![半期])|後(?![半期])|生|来|ぶり|目|半|以上|分|越し|連続|もの)"
_NO_MONTH = "(?!間|号|病|雨|蝿|蠅|さん|ちゃん|くん|君|様)"
_NO_DAY = (
    "(?!間|前|後(?!半)|目|中|分|坊主|月|酔|ほど|程|くらい|ぐらい|ごと|おき|以内|連続|もあれば|かか)"
)
_MONTH = "(?<![0-9〇一二三四五六七八九十毎])(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_DAY = (
    "([0-3]?[0-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九]"
    "|[一二][〇一二三四五六七八九])[日号號]"
)
_IN_PARENTHESES = r"(?:\([月火水木金土日]\))?"
_ABSOLUTE = (
    "(?=に(?![0-9一二三]|なる|なっ)|は|の(?!間|うち|休|旅)|も|から|まで|以降|以来|頃|ごろ|[~〜-]"
    "|午|朝|夜|夕|$)"
)
_ABOUT_IT = "(?=[にはのも]|から|まで|以降|頃|ごろ|[~〜-]|$)"
_TWENTY_FIRST_CENTURY_UNTIL = 70


def _era_year(match: re.Match[str], _today: Today) -> Mention:
    begins = _ERAS.get(match[1] or "") or _ERA_LETTERS[match[2]]
    number = 1 if match[3] == "元" else han_number(match[3])
    return Mention(year=begins + number, is_fiscal=True if match[4] else None)


def _year(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=han_number(match[1]), is_fiscal=True if match[2] else None)


def _short_year(match: re.Match[str], _today: Today) -> Mention:
    number = int(match[1])
    century = 2000 if number < _TWENTY_FIRST_CENTURY_UNTIL else 1900
    return Mention(year=century + number, is_fiscal=True if match[2] else None)


def _decade(match: re.Match[str], _today: Today) -> Mention:
    number = int(match[1])
    return Mention(decade=number if number >= 100 else 1900 + number)


def _era_decade(match: re.Match[str], _today: Today) -> Mention:
    return Mention(decade=_ERAS[match[1]] + han_number(match[2]))


def _month_day(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=han_number(match[1]), day=han_number(match[2]))


def _month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=han_number(match[1]))


def _day(match: re.Match[str], _today: Today) -> Mention:
    return Mention(day=han_number(match[1]))


def _day_of_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(day=han_number(match[1]), is_weak=True)


def _slashed(match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=int(match[1]), day=int(match[2]))


def _slashed_month(match: re.Match[str], _today: Today) -> Mention:
    return Mention(year=int(match[1]), month=int(match[2]))


def _season(match: re.Match[str], _today: Today) -> Mention:
    direction = _SEASON_DIRECTIONS[match[1]]
    return Mention(season=_SEASONS[match[2]], direction=direction)


def _season_of_year(match: re.Match[str], today: Today) -> Mention:
    year = today.day.year + (1 if match[1] == "来" else -1)
    return Mention(season=_SEASONS[match[2]], year=year)


def _bare_season(match: re.Match[str], _today: Today) -> Mention:
    return Mention(season=_SEASONS[match[1]])


def _weak_season(match: re.Match[str], _today: Today) -> Mention:
    return Mention(season=_SEASONS[match[1]], is_weak=True)


def _quarter(match: re.Match[str], _today: Today) -> Mention:
    return Mention(quarter=han_number(match[1]))


def _half(match: re.Match[str], _today: Today) -> Mention:
    return Mention(half=1 if match[1] == "上" else 2)


def _half_of(match: re.Match[str], _today: Today) -> Mention:
    part = Part.FIRST_HALF if match[1] == "前" else Part.SECOND_HALF
    return Mention(part=part, is_weak=True)


DATES = (
    Rule(pattern=f"({any_of(_ERAS)})({HAN_NUMBER})年代", read=_era_decade),
    Rule(
        pattern=f"(?:({any_of(_ERAS)})|(?<![a-z])([rhs]))(元|{HAN_NUMBER})年(度)?{_NO_YEAR}",
        read=_era_year,
    ),
    Rule(pattern="([12][0-9]{3}|[5-9]0)年代", read=_decade),
    Rule(
        pattern=f"(?<![0-9])([12][0-9]{{3}}|[一二][〇零一二三四五六七八九]{{3}}|千九百[一-九十]+)"
        f"年(度)?{_NO_YEAR}",
        read=_year,
    ),
    Rule(pattern="(?<![0-9])([0-9]{2})年(?:(度)|(?=[0-9]{1,2}月))", read=_short_year),
    Rule(pattern=f"{_MONTH}の?{_DAY}{_NO_DAY}{_IN_PARENTHESES}", read=_month_day),
    Rule(pattern=f"{_MONTH}{_NO_MONTH}", read=_month),
    Rule(
        pattern=f"(?<![0-9.,月年一-龥])([0-3]?[0-9]|[一二三]?十[一二三四五六七八九]?)[日号號]{_NO_DAY}{_IN_PARENTHESES}{_ABSOLUTE}",
        read=_day,
    ),
    Rule(
        pattern=f"(?<![0-9.,])(?<![一-朇有-龥]){_DAY}{_NO_DAY}{_IN_PARENTHESES}", read=_day_of_month
    ),
    Rule(pattern=rf"(?<![\d/])(\d{{1,2}})/(\d{{1,2}})(?![\d/]){_ABOUT_IT}", read=_slashed),
    Rule(pattern=rf"(?<![\d/])(\d{{4}})/(\d{{1,2}})(?![\d/]){_ABOUT_IT}", read=_slashed_month),
    Rule(
        pattern=f"({any_of(_SEASON_DIRECTIONS)})([春夏秋冬])(?:休み|天|季)?(?![一-龥])",
        read=_season,
    ),
    Rule(pattern="(昨|来)([春夏秋冬])(?![一-龥])", read=_season_of_year),
    Rule(
        pattern="(?<![一-龥])([春夏秋冬])(?:休み|天|季)?"
        "(?=に(?!な)|ごろ|頃|から|まで|の間|の?[初終]|の?はじめ|の?おわり|以降)",
        read=_bare_season,
    ),
    Rule(pattern="([春夏秋冬])(?:休み|天|季)?(?![一-龥])", read=_weak_season),
    Rule(pattern="第?([1-4一二三四])(?:四半期|季度)", read=_quarter),
    Rule(pattern="(上|下)(?:半期|半年|期(?!待|間|限))", read=_half),
    Rule(pattern="(前|後|后)半", read=_half_of),
)
"""In this order."""
