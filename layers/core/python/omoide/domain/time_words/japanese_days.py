"""Japanese days, weeks and other units beside today: 昨日, 先週の金曜."""

import re
from datetime import timedelta

from omoide.domain.time_words.lexicon import Rule, any_of
from omoide.domain.time_words.local_calendar import FISCAL_YEAR_BEGINS, WEEK, Today
from omoide.domain.time_words.mention import Mention, Part
from omoide.domain.time_words.relative_units import of_unit

_DAY_WORDS = {
    "一昨々日": -3,
    "一昨昨日": -3,
    "さきおととい": -3,
    "一昨日": -2,
    "おととい": -2,
    "おとつい": -2,
    "昨日": -1,
    "きのう": -1,
    "今日": 0,
    "きょう": 0,
    "本日": 0,
    "明日": 1,
    "あした": 1,
    "あす": 1,
    "明後日": 2,
    "あさって": 2,
    "明々後日": 3,
    "明明後日": 3,
    "しあさって": 3,
}
_KANA_DAYS = [word for word in _DAY_WORDS if "ぁ" <= word[0] <= "ゖ"]
_KANJI_DAYS = any_of(word for word in _DAY_WORDS if word not in _KANA_DAYS)
_ENDS_A_WORD = r"(?=[のはにもをがかで]|から|まで|より|[^ぁ-ゖ]|$)"
_NIGHTS = {
    "昨夜": (-1, 18, 30),
    "昨晩": (-1, 18, 30),
    "ゆうべ": (-1, 18, 30),
    "夕べ": (-1, 18, 30),
    "一昨夜": (-2, 18, 30),
    "一昨晩": (-2, 18, 30),
    "今朝": (0, 5, 12),
    "けさ": (0, 5, 12),
    "昨朝": (-1, 5, 12),
    "今夕": (0, 15, 18),
    "今夜": (0, 18, 30),
    "今晩": (0, 18, 30),
    "明朝": (1, 5, 12),
    "明晩": (1, 18, 30),
    "昨夕": (-1, 15, 18),
}
_UNITS = {
    "先々週": ("week", -2),
    "先先週": ("week", -2),
    "先週": ("week", -1),
    "前週": ("week", -1),
    "今週": ("week", 0),
    "来週": ("week", 1),
    "再来週": ("week", 2),
    "先々月": ("month", -2),
    "先先月": ("month", -2),
    "先月": ("month", -1),
    "今月": ("month", 0),
    "来月": ("month", 1),
    "再来月": ("month", 2),
    "一昨々年": ("year", -3),
    "さきおととし": ("year", -3),
    "一昨年": ("year", -2),
    "おととし": ("year", -2),
    "去年": ("year", -1),
    "昨年": ("year", -1),
    "今年": ("year", 0),
    "ことし": ("year", 0),
    "本年": ("year", 0),
    "来年": ("year", 1),
    "再来年": ("year", 2),
    "前四半期": ("quarter", -1),
    "先四半期": ("quarter", -1),
    "今四半期": ("quarter", 0),
    "来四半期": ("quarter", 1),
}
_FISCAL = {
    "一昨年度": -2,
    "昨年度": -1,
    "去年度": -1,
    "前年度": -1,
    "今年度": 0,
    "本年度": 0,
    "来年度": 1,
}
_WEEKDAYS = "月火水木金土日"
_DIRECTIONS = {
    "この前の": -1,
    "こないだの": -1,
    "この間の": -1,
    "前の": -1,
    "先の": -1,
    "前回の": -1,
    "今度の": 1,
    "次の": 1,
    "来たる": 1,
}
_EDGES = {"先々": -2, "先": -1, "昨": -1, "今": 0, "来": 1}
_WEEKENDS = {"先々": -2, "先": -1, "今": 0, "来": 1, "再来": 2}


def _day_word(match: re.Match[str], today: Today) -> Mention:
    return Mention(on=today.day + timedelta(days=_DAY_WORDS[match[0]]))


def _night(match: re.Match[str], today: Today) -> Mention:
    offset, begin, end = _NIGHTS[match[0]]
    return Mention(on=today.day + timedelta(days=offset), hours=(begin, end))


def _unit(match: re.Match[str], today: Today) -> Mention | None:
    return of_unit(today, *_UNITS[match[0]])


def _fiscal_year(match: re.Match[str], today: Today) -> Mention:
    begun = today.day.year - (today.day.month < FISCAL_YEAR_BEGINS)
    return Mention(year=begun + _FISCAL[match[0]], is_fiscal=True)


def _weekend(match: re.Match[str], today: Today) -> Mention:
    steps = _WEEKENDS[match[1]] if match[1] else {"この": 0, "今度の": 0}.get(match[2] or "", -1)
    return Mention(week=today.monday + steps * WEEK, is_weekend=True)


def _edge(match: re.Match[str], today: Today) -> Mention | None:
    part = Part.END if match[4] == "末" else Part.BEGINNING
    if match[2] == "年":
        year = today.day.year + _EDGES[match[1]]
        return Mention(year=year, month=1) if part is Part.BEGINNING else _year_end(year)
    unit = of_unit(today, "month", _EDGES[match[1] or "今"])
    return None if unit is None else unit.joined(Mention(part=part))


def _year_end(year: int) -> Mention:
    return Mention(year=year, month=12, part=Part.END)


def _weekday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(weekday=_WEEKDAYS.index(match[2]), direction=_DIRECTIONS.get(match[1] or ""))


def _both_days(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_weekend=True)


DAYS = (
    Rule(pattern=f"(?:{_KANJI_DAYS})(?![香葉美花])", read=_day_word),
    Rule(
        pattern=f"(?<![ぁ-ゖァ-ヺ])(?:{any_of(_KANA_DAYS)}){_ENDS_A_WORD}",
        read=_day_word,
    ),
    Rule(pattern=any_of(_NIGHTS), read=_night),
    Rule(pattern=any_of(_FISCAL), read=_fiscal_year),
    Rule(
        pattern="(?:(先々|先|今|来|再来)週の?(?:週)?末|(この前の|この|前の|今度の)?週末)",
        read=_weekend,
    ),
    Rule(
        pattern="(?:(先々|先|今|来|昨)(月|年)|(?<![0-9一-龥])(月))の?(初め|初|頭|末)(?![っ日年])",
        read=_edge,
    ),
    Rule(pattern=f"(?<!過)(?:{any_of(_UNITS)})", read=_unit),
    Rule(pattern=f"({any_of(_DIRECTIONS)})?([{_WEEKDAYS}])曜日?(?!大工|版)", read=_weekday),
    Rule(pattern="土日", read=_both_days),
)
"""In this order."""
