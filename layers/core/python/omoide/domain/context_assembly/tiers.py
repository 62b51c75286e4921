"""Which memory is shown in full, which in short, so that all stay within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import StrEnum

from omoide.domain.context_assembly.context_text import (
    NONCE_LENGTH,
    frame,
    full_entry,
    reference,
    reference_entry,
    summary_entry,
)
from omoide.domain.context_assembly.excerpts import cut, leading_sentences
from omoide.domain.limits import MAX_SUMMARY
from omoide.domain.memory import Memory

LEAST_BUDGET = 100
LARGEST_BUDGET = 100_000
DEFAULT_BUDGET = 4_000

SHORT_CONTENT = 500
"""Characters up to which a memory is worth showing in full whatever its relevance."""

HIGH_RELEVANCE = 0.8
"""Relevance above which a long memory is worth showing in full at once."""

ROOM_FOR_LONG, ROOM_FOR_SUMMARY, ROOM_FOR_REFERENCE = 500, 100, 20
"""Tokens that must be left for each."""

LONGEST_EXCERPT = 80
"""Characters of a memory that a reference shows."""

_EXCERPT_LENGTHS = (LONGEST_EXCERPT, 60, 40, 28, 20, 14, 9, 5, 2, 0)
_MOST_CHARACTERS_A_TOKEN = 64
"""No text has so many characters to each of its tokens: longer ones need not be counted."""

CountTokens = Callable[[str], int]
"""How many tokens of the budget a text takes."""


class Tier(StrEnum):
    """How much of a memory is shown."""

    FULL = "full"
    SUMMARY = "summary"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that was found.

    Attributes:
        memory: The memory.
        relevance: 0..1.
    """

    memory: Memory
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A memory as it is shown.

    Attributes:
        place: Its place among the candidates, from 0.
        tier: How much of it.
        text: What is shown of it, as it was said.
        entry: The same as it stands in the whole text: numbered, dated, escaped.
        tokens: What the entry takes of the budget.
    """

    place: int
    tier: Tier
    text: str
    entry: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembler:
    """Fills a budget with memories.

    Attributes:
        budget: Tokens that the whole text may have, delimiters included.
        count: Counts them.
        zone: Where dates are those of.
    """

    budget: int
    count: CountTokens
    zone: tzinfo = field(default=UTC)

    def assemble(self, candidates: Sequence[Candidate]) -> tuple[Shown, ...]:
        """Choose what is shown of each candidate; those for which nothing is left are not.

        First pass, in the order given: a memory in full if it is short, or very relevant with
        plenty of room, and fits; else its summary; else a reference to it. Second pass, in the
        same order: in full after all where the rest of the budget holds it. Where not even a
        reference fits, the best is shown by its first words alone.

        Args:
            candidates: The best first.
        """
        shown: list[Shown] = []
        room = self.budget - self._frame_tokens()
        for place, candidate in enumerate(candidates):
            chosen = self._first_choice(place, candidate, room)
            if chosen is None and not shown:
                chosen = self._excerpt(place, candidate.memory, room)
            if chosen is not None:
                shown.append(chosen)
                room -= chosen.tokens
        for index, one in enumerate(shown):
            if one.tier is Tier.FULL:
                continue
            better = self._full(one.place, candidates[one.place].memory, room + one.tokens)
            if better is not None:
                room += one.tokens - better.tokens
                shown[index] = better
        return tuple(shown)

    def _frame_tokens(self) -> int:
        """What the tags take at most: any nonce has at most a token for each character."""
        without_nonce = self.count(frame([], "-"))
        return without_nonce + 2 * self.count(" ".join("z" * NONCE_LENGTH))

    def _first_choice(self, place: int, candidate: Candidate, room: int) -> Shown | None:
        memory = candidate.memory
        is_short = len(memory.content) <= SHORT_CONTENT
        is_worth_it = candidate.relevance > HIGH_RELEVANCE and room >= ROOM_FOR_LONG
        chosen = self._full(place, memory, room) if is_short or is_worth_it else None
        if chosen is None and room >= ROOM_FOR_SUMMARY:
            chosen = self._summary(place, memory, room)
        if chosen is None and room >= ROOM_FOR_REFERENCE:
            chosen = self._reference(place, memory, room)
        return chosen

    def _full(self, place: int, memory: Memory, room: int) -> Shown | None:
        if len(memory.content) > room * _MOST_CHARACTERS_A_TOKEN:
            return None
        entry = full_entry(place + 1, memory, self.zone)
        return self._fitting(place, Tier.FULL, memory.content, entry, room)

    def _summary(self, place: int, memory: Memory, room: int) -> Shown | None:
        text = memory.summary or leading_sentences(memory.content, MAX_SUMMARY)
        if len(text) >= len(memory.content):
            return None
        entry = summary_entry(place + 1, memory, text, self.zone)
        return self._fitting(place, Tier.SUMMARY, text, entry, room)

    def _reference(self, place: int, memory: Memory, room: int) -> Shown | None:
        """A reference with as much of an excerpt as fits; None where not even the id fits."""
        beginning = " ".join((memory.summary or memory.content).split())
        for length in _EXCERPT_LENGTHS:
            text = reference(memory, cut(beginning, length))
            entry = reference_entry(place + 1, text)
            shown = self._fitting(place, Tier.REFERENCE, text, entry, room)
            if shown is not None:
                return shown
        return None

    def _excerpt(self, place: int, memory: Memory, room: int) -> Shown | None:
        """As many of the first words as fit, without the id."""
        beginning = " ".join((memory.summary or memory.content).split())
        for length in _EXCERPT_LENGTHS[:-1]:
            text = cut(beginning, length)
            entry = reference_entry(place + 1, text)
            shown = self._fitting(place, Tier.REFERENCE, text, entry, room)
            if shown is not None:
                return shown
        return None

    def _fitting(self, place: int, tier: Tier, text: str, entry: str, room: int) -> Shown | None:
        tokens = self.count(entry)
        if tokens > room:
            return None
        return Shown(place=place, tier=tier, text=text, entry=entry, tokens=tokens)
