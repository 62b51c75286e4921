"""Joining words of time that stand together: "Monday" and "last week", 去年 and 夏."""

import re
from collections.abc import Iterable

from omoide.domain.time_words.lexicon import Found

_BETWEEN = re.compile(
    r"(?:'s)?[\s,、-]*(?:(?:of|in|on|the|at|during|back|の|に|的|은|는|의|에)[\s,、]*){0,3}'?"
)
_LONGEST_GAP = 20


def grouped(text: str, found: Iterable[Found]) -> list[Found]:
    """Return the mentions, those about one time joined."""
    groups: list[Found] = []
    for one in found:
        together = _joined(text, groups[-1], one) if groups else None
        if together is None:
            groups.append(one)
        else:
            groups[-1] = together
    return groups


def _joined(text: str, before: Found, after: Found) -> Found | None:
    if after.start - before.end > _LONGEST_GAP:
        return None
    if _BETWEEN.fullmatch(text, before.end, after.start) is None:
        return None
    mention = before.mention.joined(after.mention)
    return None if mention is None else Found(mention=mention, start=before.start, end=after.end)
