"""The beginning of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.context_assembly.excerpts import cut, leading_sentences

TEXTS = st.text(
    alphabet=st.sampled_from("ab ,.!?\n。、！？」あ漢é\u0301\u200d\ufe0f👩‍🔬"), max_size=80
)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("One. Two. Three.", 100, "One. Two. Three."),
        ("One. Two. Three.", 10, "One. Two."),
        ("It costs 3.50 a day. Then more follows.", 25, "It costs 3.50 a day."),
        ('He said "no." Then he left.', 16, 'He said "no."'),
        ("会議は火曜です。場所は三階です。", 10, "会議は火曜です。"),
        ("「いいえ。」と言った。次の話。", 12, "「いいえ。」と言った。"),
        ("first line\nsecond line", 15, "first line"),
        ("  surrounded  ", 20, "surrounded"),
        ("बारिश हुई। फिर धूप।", 12, "बारिश हुई।"),
    ],
)
def test_whole_sentences_are_kept(text: str, limit: int, expected: str) -> None:
    assert leading_sentences(text, limit) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("a sentence without any end at all", 20, "a sentence without…"),
        ("句読点のない、とても長い文がここにあります", 10, "句読点のない…"),
        ("連続した文字だけが並ぶ長い行", 6, "連続した文…"),
        ("Donaudampfschifffahrt", 6, "Donau…"),
    ],
)
def test_a_sentence_that_is_too_long_is_cut_where_a_word_or_clause_ends(
    text: str, limit: int, expected: str
) -> None:
    assert leading_sentences(text, limit) == expected


@pytest.mark.parametrize(("limit", "expected"), [(0, ""), (1, "…"), (2, "a…"), (9, "abc")])
def test_a_cut_is_never_longer_than_its_limit(limit: int, expected: str) -> None:
    assert cut("abc", limit) == expected


def test_marks_stay_with_their_character() -> None:
    assert cut("cafe\u0301x", 5) == "caf…"
    assert cut("ab👩\u200d🔬c", 5) == "ab…"


@given(text=TEXTS, limit=st.integers(2, 40))
def test_it_is_a_beginning_of_the_text_within_the_limit(text: str, limit: int) -> None:
    begun = leading_sentences(text, limit)

    assert len(begun) <= limit
    assert text.strip().startswith(begun.removesuffix("…"))
    assert bool(begun) == bool(text.strip())
