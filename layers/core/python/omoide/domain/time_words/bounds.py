"""Words around words of time: "since", "until", "between", から, 頃."""

import re
from dataclasses import dataclass
from enum import StrEnum

from omoide.domain.time_words.lexicon import Found
from omoide.domain.time_words.mention import MEANINGLESS

_LONGEST_BEFORE = 24


class Bound(StrEnum):
    """What a word makes of the time beside it."""

    SINCE = "since"
    AFTER = "after"
    UNTIL = "until"
    BEFORE = "before"
    AROUND = "around"
    DAY_BEFORE = "day_before"
    DAY_AFTER = "day_after"
    WEEK_BEFORE = "week_before"
    WEEK_AFTER = "week_after"


_BEFORE = re.compile(
    r"(?:\b(?:"
    r"(?P<day_before>(?:the )?day before|(?:the )?eve of)|(?P<day_after>(?:the )?day after)"
    r"|(?P<week_before>(?:the )?week before)|(?P<week_after>(?:the )?week after)"
    r"|(?P<since>(?:ever )?since|starting(?: in| on| from)?|as of)|(?P<after>after|following)"
    r"|(?P<until>until|till|up to|up until|by|as late as|no later than)"
    r"|(?P<before>before|prior to)|(?P<around>around|about|circa|near|approximately)"
    r")(?: the)?\s*|(?P<until_zh>到|截至)|(?P<since_zh>自从?|从)|(?P<around_ja>約))$"
)
_AFTER = re.compile(
    r"\s?の?(?:"
    r"(?P<since_en>(?:on ?wards?|on(?= ?(?:$|[?.!,]))|and (?:after|later)|or later|forward)\b)"
    r"|(?P<day_before>前日|전날)|(?P<day_after>翌日|次の日|다음 ?날)|(?P<week_after>翌週)"
    r"|(?P<since>(?:頃|ごろ)?から|以降|以来|부터|이후|이래|以來|起)"
    r"|(?P<after>より後|後(?![半編期輩悔])|あとに|あとの|以後|之后|之後|以后|후)"
    r"|(?P<until>(?:頃|ごろ)?まで|迄|以前|까지|为止|為止|之内)"
    r"|(?P<around>頃|ごろ|ころ|辺り|あたり|前後|左右|쯤|무렵|경)"
    r"|(?P<before>より前|前(?![半後回編])|之前|전)"
    r")"
)
_RANGE = re.compile(
    r"(?:'s)?\s*(?:-|–|—|~|〜|から|and|to|through|until|till|부터|에서|到|至|より)(?: the)?\s*"
)
_PREPOSITIONS = re.compile(
    r"\b(?:in|since|until|till|before|after|during|by|around|about|circa|from|between|of|early"
    r"|mid|late|through|throughout|over|up to|prior to|for|year|as of|all)(?: the| year)?[ -]*'?$"
)
_BETWEEN = re.compile(r"\b(?:between|from)(?: the)?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A mention, or a range of two, with the word that bounds it.

    Attributes:
        first: The mention.
        last: Where a range ends.
        bound: The word beside it.
        start: Where all of it begins in the text.
        end: Where it ends.
    """

    first: Found
    last: Found | None = None
    bound: Bound | None = None
    start: int
    end: int


def bounded(text: str, groups: list[Found]) -> list[Bounded]:
    """Return what stands in a text, ranges made, and without what means nothing alone."""
    result: list[Bounded] = []
    index = 0
    while index < len(groups):
        one = groups[index]
        following = groups[index + 1] if index + 1 < len(groups) else None
        if following is not None and _is_range(text, one, following):
            before = _BETWEEN.search(text, max(0, one.start - _LONGEST_BEFORE), one.start)
            start = one.start if before is None else before.start()
            end = _AFTER.match(text, following.end)
            is_until = end is not None and end.lastgroup == "until"
            stop = end.end() if end is not None and is_until else following.end
            result.append(Bounded(first=one, last=following, start=start, end=stop))
            index += 2
            continue
        index += 1
        if one.mention.is_excluded or (one.mention.is_weak and not _is_told(text, one)):
            continue
        result.append(_alone(text, one))
    return result


def _is_told(text: str, one: Found) -> bool:
    if one.mention.said <= MEANINGLESS:
        return False
    before = text[max(0, one.start - _LONGEST_BEFORE) : one.start]
    if _PREPOSITIONS.search(before) is not None:
        return True
    after = _AFTER.match(text, one.end)
    return after is not None and after.lastgroup != "since_en"


def _is_range(text: str, one: Found, following: Found) -> bool:
    if one.mention.is_excluded or following.mention.is_excluded:
        return False
    connector = _RANGE.fullmatch(text, one.end, following.start)
    if connector is None:
        return False
    if connector.group().strip() in ("and", "-"):
        before = text[max(0, one.start - _LONGEST_BEFORE) : one.start]
        return connector.group().strip() == "-" or before.rstrip().endswith("between")
    return True


def _alone(text: str, one: Found) -> Bounded:
    before = text[max(0, one.start - _LONGEST_BEFORE) : one.start]
    found = _BEFORE.search(before)
    if found is not None and found.lastgroup is not None:
        bound = _bound(found.lastgroup)
        start = one.start - (len(before) - found.start())
        return Bounded(first=one, bound=bound, start=start, end=one.end)
    after = _AFTER.match(text, one.end)
    if after is not None and after.lastgroup is not None:
        bound = _bound(after.lastgroup)
        return Bounded(first=one, bound=bound, start=one.start, end=after.end())
    return Bounded(first=one, start=one.start, end=one.end)


def _bound(group: str) -> Bound:
    return Bound(re.sub("_(?:en|ja|zh)$", "", group))
