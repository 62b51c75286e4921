"""How many kinds of fact a question asks for: an amount or a time, a person or a name, a place."""

import re

from omoide.domain.analysis import fold

_AMOUNT = re.compile(
    r"\bhow (?:much|many|old|long|far|big|tall|often|fast|high)\b"
    r"|\b(?:price|cost|number|amount|age|dose|date|deadline|rate|score|percentage|phone|total)\b"
    r"|\b(?:wie ?viele?|wie (?:alt|lange|oft|hoch)|wann|combien|quand|cu[aá]nt[oa]s?|cu[aá]ndo)\b"
    r"|\b(?:сколько|когда|bao nhiêu|mấy|bao giờ|khi nào)\b"
    r"|いくら|いくつ|いつ|何(?:人|個|本|回|歳|時|円|パーセント|キロ|枚|台|日|月|年|分|曜|点|冊|番)"
    r"|番号|金額|値段|料金|年齢|価格|誕生日|期限|多少|几|什么时候|얼마|몇|언제"
)
_NAME = re.compile(
    r"\bwho(?:se|m)?\b|\bname of\b|\b(?:wer|wem|wen|wessen|qui|qui[eé]n(?:es)?|кто|кого|кому|ai)\b"
    r"|誰|だれ|名前|谁|누구"
)
_PLACE = re.compile(
    r"\bwhere\b|\b(?:wo|wohin|où|d[oó]nde|где|куда|đâu)\b|どこ|場所|住所|哪里|哪儿|在哪|어디"
)


def asked_facts(query: str) -> int:
    """Return how many kinds of fact the query asks for, 0..3."""
    text = fold(query)
    return sum(pattern.search(text) is not None for pattern in (_AMOUNT, _NAME, _PLACE))
