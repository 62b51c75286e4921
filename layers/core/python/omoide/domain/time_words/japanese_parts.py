"""Japanese holidays, hours of the day, parts of longer times, and habits, which are no times."""

import re

from omoide.domain.time_words.lexicon import Rule, any_of
from omoide.domain.time_words.local_calendar import FISCAL_YEAR_BEGINS, Today
from omoide.domain.time_words.mention import Mention, Part
from omoide.domain.time_words.numerals import HAN_NUMBER, han_number

_NAMES = {
    "元日": "new_year",
    "元旦": "new_year",
    "お正月": "new_year_days",
    "正月": "new_year_days",
    "三が日": "new_year_days",
    "年始": "new_year_days",
    "年末年始": "turn_of_the_year",
    "成人の日": "coming_of_age",
    "節分": "setsubun",
    "建国記念の日": "founding_of_japan",
    "建国記念日": "founding_of_japan",
    "バレンタインデー": "valentine",
    "バレンタイン": "valentine",
    "天皇誕生日": "emperor",
    "ひな祭り": "hinamatsuri",
    "雛祭り": "hinamatsuri",
    "ホワイトデー": "white_day",
    "エイプリルフール": "april_fools",
    "昭和の日": "showa",
    "ゴールデンウィーク": "golden_week",
    "ゴールデンウイーク": "golden_week",
    "gw": "golden_week",
    "憲法記念日": "constitution",
    "みどりの日": "greenery",
    "こどもの日": "children",
    "子供の日": "children",
    "母の日": "mothers",
    "父の日": "fathers",
    "七夕": "tanabata",
    "海の日": "marine",
    "山の日": "mountain",
    "お盆": "obon",
    "敬老の日": "aged",
    "スポーツの日": "sports",
    "体育の日": "sports",
    "ハロウィン": "halloween",
    "ハロウィーン": "halloween",
    "文化の日": "culture",
    "勤労感謝の日": "labour_thanksgiving",
    "クリスマスイブ": "christmas_eve",
    "クリスマス・イブ": "christmas_eve",
    "イブの日": "christmas_eve",
    "クリスマス": "christmas",
    "大晦日": "new_year_eve",
    "大みそか": "new_year_eve",
    "感謝祭": "thanksgiving",
    "イースター": "easter",
    "ブラックフライデー": "black_friday",
}
_DIRECTIONS = {
    "この前の": -1,
    "前の": -1,
    "前回の": -1,
    "去る": -1,
    "この": 0,
    "今度の": 1,
    "次の": 1,
}
_HOURS = {
    "朝": (5, 12),
    "早朝": (5, 8),
    "午前中": (0, 12),
    "午前": (0, 12),
    "午後": (12, 24),
    "昼前": (9, 12),
    "昼過ぎ": (12, 15),
    "昼間": (9, 17),
    "昼": (11, 14),
    "正午": (12, 13),
    "夕方": (15, 18),
    "夜": (18, 30),
    "晩": (18, 30),
    "夜中": (22, 29),
    "深夜": (22, 29),
    "未明": (0, 3),
    "明け方": (3, 6),
}
_PARTS = {
    "上旬": Part.EARLY,
    "初旬": Part.EARLY,
    "中旬": Part.MIDDLE,
    "下旬": Part.LATE,
    "初め": Part.BEGINNING,
    "はじめ": Part.BEGINNING,
    "始め": Part.BEGINNING,
    "初頭": Part.BEGINNING,
    "頭": Part.BEGINNING,
    "半ば": Part.MIDDLE,
    "なかば": Part.MIDDLE,
    "中頃": Part.MIDDLE,
    "中ごろ": Part.MIDDLE,
    "末": Part.END,
    "終わり": Part.END,
    "おわり": Part.END,
    "終盤": Part.LATE,
    "序盤": Part.EARLY,
}
_WEEKDAYS = "月火水木金土日"
_NTH = {"最初の": 1, "最後の": -1}


def _holiday(match: re.Match[str], _today: Today) -> Mention:
    return Mention(holiday=_NAMES[match[2]], direction=_DIRECTIONS.get(match[1] or ""))


def _year_end(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=12, part=Part.END)


def _year_begins(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(month=1, part=Part.BEGINNING)


def _fiscal_edge(match: re.Match[str], _today: Today) -> Mention:
    if match[1] == "末":
        return Mention(month=FISCAL_YEAR_BEGINS - 1, part=Part.END)
    return Mention(month=FISCAL_YEAR_BEGINS, part=Part.BEGINNING)


def _part(match: re.Match[str], _today: Today) -> Mention:
    return Mention(part=_PARTS[match[1]], is_weak=True)


def _nth_week(match: re.Match[str], _today: Today) -> Mention:
    return Mention(nth=_nth(match[1], match[2]), is_week=True, is_weak=True)


def _nth_weekday(match: re.Match[str], _today: Today) -> Mention:
    nth = _nth(match[1], match[2])
    return Mention(nth=nth, weekday=_WEEKDAYS.index(match[3]), is_weak=True)


def _nth(word: str | None, number: str | None) -> int:
    return _NTH[word] if word else han_number(number or "1")


def _hours(match: re.Match[str], _today: Today) -> Mention:
    return Mention(hours=_HOURS[match[1]], is_weak=True)


def _clock(match: re.Match[str], _today: Today) -> Mention | None:
    hour = han_number(match[2])
    if match[1] in ("午後", "夕方", "夜", "晩") and hour < 12:
        hour += 12
    minutes = 30 if match[3] == "半" else han_number((match[3] or "0").removesuffix("分"))
    begin = hour + minutes / 60
    return Mention(hours=(begin, begin + 1), is_weak=True)


def _excluded(_match: re.Match[str], _today: Today) -> Mention:
    return Mention(is_excluded=True)


HABITS = (
    Rule(
        pattern=f"毎(?:週の?(?:[{_WEEKDAYS}]曜日?|末)?|日曜日?|日|朝|晩|夜|月|年の?|[春夏秋冬]|回)"
        f"|隔週の?(?:[{_WEEKDAYS}]曜日?)?|[{_WEEKDAYS}]曜日?ごと|三日坊主|三日月|二日酔い|一日中"
        "|[1１]日中|一日千秋|日曜大工|五月病|五月雨|五月蝿|五月蠅|今日的|青春|年中無休|前日比|前年比"
        "|前年同月比|前年同期比",
        read=_excluded,
    ),
    Rule(
        pattern=f"{HAN_NUMBER}日?(?:から|[~〜-]){HAN_NUMBER}日(?:間|ほど|くらい|ぐらい|程度|かか)",
        read=_excluded,
    ),
)
"""Excluded as they stand."""

HOLIDAYS = (
    Rule(pattern=f"({any_of(_DIRECTIONS)})?({any_of(_NAMES)})(?![ァ-ヺ])", read=_holiday),
    Rule(pattern="(?<![昨去今前本来])年度(末|初め|はじめ)", read=_fiscal_edge),
    Rule(pattern="(?<![数何0-9一-龥])年明け", read=_year_begins),
    Rule(pattern="(?<![昨今来])年末(?!調整)|(?<=の)年の瀬", read=_year_end),
)
"""Named days."""

HOURS_AND_PARTS = (
    Rule(
        pattern=f"(午前|午後|朝|夕方|夜|晩)?の?({HAN_NUMBER})時(半|{HAN_NUMBER}分)?(?!間|点|期|代)",
        read=_clock,
    ),
    Rule(pattern=f"({any_of(_HOURS)})(?![一-龥ご])", read=_hours),
    Rule(pattern=f"({any_of(_PARTS)})(?![日端っ路席期娘上たてるらま])", read=_part),
    Rule(pattern=f"(?:(最初の|最後の)|第({HAN_NUMBER}))([{_WEEKDAYS}])曜日?", read=_nth_weekday),
    Rule(pattern=f"(?:(最初の|最後の)|第?({HAN_NUMBER}))週目?(?!間|前|後)", read=_nth_week),
)
"""What stands with a time."""
