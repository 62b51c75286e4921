"""What is shown of each memory, and that it never costs more than there is."""

import math
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.context_assembly.assembly import assemble
from omoide.domain.context_assembly.tiers import Assembler, Candidate, CountTokens, Tier
from omoide.domain.memory import Memory
from tests.unit.memory_records import record

KEY = b"k" * 32


def by_words(text: str) -> int:
    """A tokenizer that cuts at white space and punctuation."""
    return len(re.findall(r"[^\W_]{1,6}|[^\w\s]", text))


def dearly(text: str) -> int:
    """A reader that needs almost two tokens for each."""
    return math.ceil(by_words(text) * 1.9)


def by_characters(text: str) -> int:
    """A tokenizer for which the whole is more than its parts: line breaks count too."""
    return math.ceil(len(text) * 1.3)


def tiers(
    *memories: Memory, budget: int, relevance: float = 0.5, count: CountTokens = by_words
) -> list[Tier]:
    candidates = [Candidate(memory=memory, relevance=relevance) for memory in memories]
    return [one.tier for one in Assembler(budget=budget, count=count).assemble(candidates)]


def words(number: int, **fields: object) -> Memory:
    return record(content=" ".join(["word"] * number) + ".", **fields)


def test_a_short_memory_is_whole_and_a_long_one_in_short() -> None:
    long = record(content="One sentence. " * 60)

    assert tiers(words(5), long, budget=220) == [Tier.FULL, Tier.SUMMARY]


def test_a_very_relevant_long_memory_is_whole_at_once_where_there_is_room() -> None:
    first, second = (record(content=f"Sentence {n} of it. " * 60) for n in range(2))

    assert tiers(first, second, budget=700, relevance=0.9) == [Tier.FULL, Tier.SUMMARY]
    assert tiers(first, second, budget=440, relevance=0.9) == [Tier.SUMMARY, Tier.SUMMARY]


def test_what_is_left_makes_the_best_whole() -> None:
    first, second = (record(content=f"Sentence {n} of it. " * 60) for n in range(2))

    assert tiers(first, second, budget=700, relevance=0.5) == [Tier.FULL, Tier.SUMMARY]
    assert tiers(first, second, budget=900, relevance=0.5) == [Tier.FULL, Tier.FULL]


def test_with_little_room_left_the_next_is_a_reference() -> None:
    assert tiers(words(60), words(60), budget=140) == [Tier.FULL, Tier.REFERENCE]


def test_with_hardly_any_room_left_the_next_is_not_shown() -> None:
    assert tiers(words(60), words(60), budget=115) == [Tier.FULL]


def test_a_summary_of_the_writers_own_is_preferred() -> None:
    long = record(content="Filler. " * 200, summary="In short: tea.")
    shown = Assembler(budget=300, count=by_words).assemble([Candidate(memory=long, relevance=0)])

    assert (shown[0].tier, shown[0].text) == (Tier.SUMMARY, "In short: tea.")


def test_a_summary_longer_than_its_memory_is_not_used() -> None:
    short = record(content="Tea.", summary="A summary that is longer than what it sums up.")

    assert tiers(short, budget=100) == [Tier.FULL]


def test_a_reference_shows_as_much_as_fits() -> None:
    long = record(content="Sentence " * 90)
    texts = [
        Assembler(budget=budget, count=by_words)
        .assemble([Candidate(memory=long, relevance=0)])[0]
        .text
        for budget in (60, 70, 90)
    ]

    assert all(text.startswith(f"[SEMANTIC] {long.id}") for text in texts)
    assert len(texts[0]) < len(texts[1]) <= len(texts[2])


def test_places_are_those_of_the_candidates() -> None:
    shown = Assembler(budget=300, count=by_words).assemble(
        [Candidate(memory=words(5), relevance=0), Candidate(memory=words(6), relevance=0)]
    )

    assert [(one.place, one.entry[:3]) for one in shown] == [(0, "1. "), (1, "2. ")]


CONTENTS = st.one_of(
    st.text(min_size=1, max_size=60).filter(str.strip),
    st.integers(1, 700).map(lambda number: "Some words of a note. " * number),
    st.integers(1, 300).map(lambda number: "会議は火曜日です。" * number),
    st.integers(1, 300).map(lambda number: "x" * number),
)


@given(
    contents=st.lists(CONTENTS, max_size=12),
    budget=st.integers(100, 3_000),
    relevance=st.floats(0, 1),
    count=st.sampled_from([by_words, by_characters, dearly]),
)
def test_no_text_is_over_its_budget(
    contents: Sequence[str], budget: int, relevance: float, count: CountTokens
) -> None:
    candidates = [Candidate(memory=record(content=c), relevance=relevance) for c in contents]

    made = assemble(Assembler(budget=budget, count=count), candidates, key=KEY, about=["q"])

    assert made.total_tokens == (count(made.text) if made.shown else 0)
    assert made.total_tokens <= budget
    assert all(one.entry in made.text for one in made.shown)
    assert made == assemble(Assembler(budget=budget, count=count), candidates, key=KEY, about=["q"])


def test_where_not_even_a_reference_fits_the_first_words_are_shown() -> None:
    def very_dearly(text: str) -> int:
        return math.ceil(by_words(text) * 2.2)

    long = record(content="Hanako likes tea. " * 60)
    assembler = Assembler(budget=100, count=very_dearly)
    shown = assembler.assemble([Candidate(memory=long, relevance=0)] * 2)

    assert [one.tier for one in shown] == [Tier.REFERENCE]
    assert long.id not in shown[0].entry
    assert shown[0].text.startswith("Han")


@pytest.mark.parametrize("content", ["x" * 32_768, "会" * 5_000, "a b " * 8_000])
def test_the_least_budget_shows_something_of_any_memory(content: str) -> None:
    assert tiers(record(content=content), budget=100)
