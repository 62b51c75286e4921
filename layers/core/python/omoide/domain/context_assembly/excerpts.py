"""The beginning of a text: whole sentences where it has some, in any script."""

import re
import unicodedata

_SENTENCE_END = re.compile(
    r"[.!?\u0964\u06d4]+[\"'\u2019\u201d)\]]*(?=\s)"
    r"|[\u3002\uff01\uff1f\uff0e\uff61]+[\u300d\u300f\uff09\u201d]*"
    r"|[ \t]*[\n\r\u2028\u2029]+"
)
"""A full stop before white space, one of Chinese and Japanese anywhere, or the end of a line."""

_CLAUSE_END = re.compile(r"[,;:\u3001\uff0c\uff1b\uff1a]|\s")
_ELLIPSIS = "\u2026"
_JOINERS = ("\u200d", "\ufe0e", "\ufe0f")


def leading_sentences(text: str, limit: int) -> str:
    """Return as many whole sentences as ``limit`` characters hold; a long one is cut.

    Args:
        text: Any text.
        limit: Characters at most, the sign of a cut included.
    """
    stripped = text.strip()
    if len(stripped) <= limit:
        return stripped
    ends = [match.end() for match in _SENTENCE_END.finditer(stripped, 0, limit + 1)]
    whole = stripped[: max((end for end in ends if end <= limit), default=0)].rstrip()
    return whole or cut(stripped, limit)


def cut(text: str, limit: int) -> str:
    """Return at most ``limit`` characters, cut at a word or clause where one ends in the last half.

    Marks stay with the character they belong to. A text that was cut ends in an ellipsis.
    """
    if len(text) <= limit:
        return text
    if limit < 2:
        return _ELLIPSIS[:limit]
    room = limit - 1
    while room > 1 and _continues(text[room - 1], text[room]):
        room -= 1
    breaks = [match.start() for match in _CLAUSE_END.finditer(text, room // 2, room + 1)]
    return text[: breaks[-1] if breaks else room].rstrip() + _ELLIPSIS


def _continues(before: str, after: str) -> bool:
    return before == _JOINERS[0] or after in _JOINERS or unicodedata.combining(after) != 0
