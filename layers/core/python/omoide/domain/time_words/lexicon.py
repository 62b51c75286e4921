"""Patterns that find words of time, and what each of them says."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from omoide.domain.time_words.local_calendar import Today
from omoide.domain.time_words.mention import Mention

Reader = Callable[["re.Match[str]", Today], Mention | None]
"""Tells what a match says; its groups are those of its own pattern, counted from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A pattern and its reader."""

    pattern: str
    read: Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A mention and where it stands in the text."""

    mention: Mention
    start: int
    end: int


class Lexicon:
    """The patterns of one language, tried in their order at each place of a text.

    Args:
        rules: The patterns, those before that others could be taken for.
        at: A pattern of the places where one can begin, which is fast to tell.
    """

    def __init__(self, rules: Sequence[Rule], *, at: str = "") -> None:
        joined = "|".join(f"(?P<r{n}>{rule.pattern})" for n, rule in enumerate(rules))
        self._any = re.compile(f"{at}(?:{joined})")
        self._rules = {f"r{n}": (re.compile(r.pattern), r.read) for n, r in enumerate(rules)}

    def find(self, text: str, today: Today) -> Iterator[Found]:
        """Yield what the text says, from left to right, without overlaps."""
        for match in self._any.finditer(text):
            pattern, read = self._rules[match.lastgroup or ""]
            own = pattern.match(text, match.start())
            mention = None if own is None else _read(read, own, today)
            if mention is not None:
                yield Found(mention=mention, start=match.start(), end=match.end())


def _read(read: Reader, match: "re.Match[str]", today: Today) -> Mention | None:
    """What the match says, if such a time exists."""
    try:
        return read(match, today)
    except (ValueError, OverflowError):
        return None


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))
