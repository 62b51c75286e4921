"""Japanese distances: 三週間前, この24時間."""

import re

from omoide.domain.time_words.distances import distant, rolling
from omoide.domain.time_words.lexicon import Rule, any_of
from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention, Unit
from omoide.domain.time_words.numerals import HAN_NUMBER, han_number

_MONTHS = "(?:[かカヵヶケ箇ヵ]|ヶ)月"
_UNIT = f"秒|分|時間|日|週間|週|{_MONTHS}|年"
_UNITS = {
    "秒": Unit.SECOND,
    "分": Unit.MINUTE,
    "時間": Unit.HOUR,
    "日": Unit.DAY,
    "週間": Unit.WEEK,
    "週": Unit.WEEK,
    "年": Unit.YEAR,
}
_ABOUT = "約|およそ|だいたい|大体|かれこれ"
_SOME = "ほど|程|くらい|ぐらい|位|ばかり|ちょっと|以上|あまり"
_SEVERAL = 3
_HALVES = {"半年": (Unit.MONTH, 6), "半月": (Unit.DAY, 15), "半日": (Unit.HOUR, 12)}

_BEFORE = {
    "去年": (Unit.YEAR, 1),
    "昨年": (Unit.YEAR, 1),
    "一昨年": (Unit.YEAR, 2),
    "先月": (Unit.MONTH, 1),
    "先週": (Unit.WEEK, 1),
}


def _unit(text: str) -> Unit:
    return _UNITS.get(text, Unit.MONTH)


def _number(text: str) -> int:
    return _SEVERAL if text in ("数", "何") else han_number(text)


def _ago(match: re.Match[str], today: Today) -> Mention:
    unit = _unit(match[4])
    near = _number(match[2]) + (0.5 if match[5] else 0.0)
    is_vague = match[1] is not None or match[6] is not None or match[2] in ("数", "何")
    far = None if match[3] is None else -han_number(match[3])
    return distant(today, unit, -near, far, is_vague=is_vague)


def _half_ago(match: re.Match[str], today: Today) -> Mention:
    unit, count = _HALVES[match[2]]
    is_vague = match[1] is not None or match[3] is not None
    return distant(today, unit, -count, is_vague=is_vague)


def _month_ago(match: re.Match[str], today: Today) -> Mention:
    return distant(today, Unit.MONTH, -2 if match[1] == "ふた" else -1)


def _rolling(match: re.Match[str], today: Today) -> Mention:
    return rolling(today, _unit(match[2]), _number(match[1]))


def _rolling_half(match: re.Match[str], today: Today) -> Mention:
    unit, count = _HALVES[match[1]]
    return rolling(today, unit, count)


def _same_day(match: re.Match[str], today: Today) -> Mention:
    unit, count = _BEFORE[match[1]]
    return distant(today, unit, -count)


def _ahead(match: re.Match[str], today: Today) -> Mention:
    return distant(today, _unit(match[2]), _number(match[1]), is_vague=match[1] in ("数", "何"))


DISTANCES = (
    Rule(pattern=f"({any_of(_BEFORE)})の今(?:日|頃|ごろ)", read=_same_day),
    Rule(
        pattern=f"(?:ここ|この|過去|直近の?|最近の?)(?:{HAN_NUMBER}[、,~〜-])?({HAN_NUMBER}|数)({_UNIT})"
        "(?:間|ほど|くらい)*"
        "(?!前|後|目)",
        read=_rolling,
    ),
    Rule(
        pattern="(?:ここ|この|過去|直近の?|最近の?)(半年|半月|半日)間?(?!前|後)", read=_rolling_half
    ),
    Rule(
        pattern=f"({_ABOUT})?({HAN_NUMBER}|数|何)(?:日(?=から|[~〜-]))?(?:[、,~〜・-]|から|か)?({HAN_NUMBER})?"
        f"({_UNIT})(半)?(?:間)?({_SOME})?前(?!後|半|日|年|月|週|回|例|任|者)(?:の今日)?",
        read=_ago,
    ),
    Rule(pattern=f"({_ABOUT})?(半年|半月|半日)({_SOME})?前(?!後)", read=_half_ago),
    Rule(pattern="(ひと|ふた|一)月(?:ほど|くらい)?前(?!半)", read=_month_ago),
    Rule(pattern=f"(?<![のらァ-ヶ])({HAN_NUMBER}|数)({_UNIT})後(?!半|悔|輩|ろ|続)", read=_ahead),
)
"""In this order."""
