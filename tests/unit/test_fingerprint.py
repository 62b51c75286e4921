from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from omoide.domain.fingerprint import Sameness, fingerprint, normalise, renewed
from omoide.domain.memory import MemoryType
from tests.unit.memory_records import NOW, record

TEA = Sameness(
    memory_type=MemoryType.SEMANTIC,
    speaker="Hanako",
    event_time=NOW,
    session_id="s1",
    turn=3,
    content="Hanako likes tea.",
)


@given(st.text(max_size=60))
@example("İ.")
@example("ﬁn … 。！")
@example("a .\u0345")
@example("\u1e9e ῼ ǰ")
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hanako likes tea.", "hanako  LIKES\ntea"),
        ("Hanako likes tea.", " Hanako likes tea!! "),
        ("花子はお茶が好き。", "花子はお茶が好き"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("ＡＢＣ１２３", "abc123"),
        ("Straße", "STRASSE"),
        ("cafe\u0301", "café"),
        ("wait…", "wait..."),
    ],
)
def test_texts_that_read_alike_are_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("He likes tea", "He likes teas"),
        ("It costs 10 dollars", "It costs 20 dollars"),
        ("I like it", "I do not like it"),
        ("好き？", "好き。"),
        ("...", "!!!"),
        ("a b", "ab"),
        ("5.5", "55"),
    ],
)
def test_texts_that_say_something_else_are_not(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    "change",
    [
        {"memory_type": MemoryType.EPISODIC},
        {"speaker": None},
        {"speaker": "Taro"},
        {"event_time": None},
        {"event_time": NOW + timedelta(milliseconds=1)},
        {"session_id": None},
        {"session_id": "s2"},
        {"turn": None},
        {"turn": 4},
        {"content": "Hanako likes coffee."},
    ],
)
def test_each_part_tells_memories_apart(change: dict[str, Any]) -> None:
    assert fingerprint(replace(TEA, **change)) != fingerprint(TEA)


def test_the_same_instant_in_another_zone_is_the_same() -> None:
    in_tokyo = NOW.astimezone(timezone(timedelta(hours=9)))

    assert fingerprint(replace(TEA, event_time=in_tokyo)) == fingerprint(TEA)


def test_parts_cannot_run_into_each_other() -> None:
    one = replace(TEA, speaker="a", session_id="bc")
    other = replace(TEA, speaker="ab", session_id="c")

    assert fingerprint(one) != fingerprint(other)


@given(st.booleans(), st.booleans())
def test_a_changed_memory_keeps_what_its_caller_once_gave(is_timed: bool, is_placed: bool) -> None:
    def claimed(content: str) -> str:
        return fingerprint(
            replace(
                TEA,
                speaker=None,
                event_time=NOW if is_timed else None,
                turn=3 if is_placed else None,
                content=content,
            )
        )

    old = record(session_id="s1", turn=3, fingerprint=claimed("Hanako likes tea."))

    assert renewed(old, replace(old, content="Coffee.")) == claimed("Coffee.")


def test_a_time_set_by_a_change_counts_as_given() -> None:
    bare = replace(TEA, speaker=None, event_time=None, session_id=None, turn=None)
    old = record(fingerprint=fingerprint(bare))
    moved = datetime(2020, 5, 5, tzinfo=UTC)

    assert renewed(old, replace(old, event_time=moved)) == fingerprint(
        replace(bare, event_time=moved)
    )


def test_a_change_of_anything_else_keeps_the_fingerprint() -> None:
    old = record(fingerprint="of an earlier rule")

    assert renewed(old, replace(old, pinned=True, importance=0.9)) == "of an earlier rule"


def test_without_deduplication_no_fingerprint_appears() -> None:
    assert renewed(record(), record(content="Something else")) is None
