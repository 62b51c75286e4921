"""Memories are encoded with the previous turn of their session, whatever order they come in."""

import numpy as np
import pytest

from omoide.domain.analysis import analyse
from omoide.domain.memory_filter import MemoryFilter
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import NewMemory
from tests.service.scored import assert_encoded_after, scoring_of
from tests.service.write_desk import LOCAL, WriteDesk


def test_a_memory_outside_a_session_has_no_context(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")

    assert_encoded_after(desk, memory, "Hanako likes tea.", "")


def test_a_turn_is_encoded_after_the_turn_before_it(desk: WriteDesk) -> None:
    desk.say("What do you drink?", session_id="s", speaker="Taro")
    desk.say("Elsewhere.", session_id="t")
    answer = desk.say("Green tea.", session_id="s", speaker="Hanako")

    assert answer.turn == 1
    assert_encoded_after(desk, answer, "Hanako: Green tea.", "Taro: What do you drink?")


def test_a_speaker_that_begins_the_content_is_not_said_twice(desk: WriteDesk) -> None:
    memory = desk.say("Hanako: Green tea.", speaker="Hanako")

    assert_encoded_after(desk, memory, "Hanako: Green tea.", "")


def test_the_session_of_another_namespace_is_another_session(desk: WriteDesk) -> None:
    desk.say("Secret.", session_id="s", namespace="team/b")
    memory = desk.say("Green tea.", session_id="s", namespace="team/a")

    assert memory.turn == 0
    assert_encoded_after(desk, memory, "Green tea.", "")


def test_a_predecessor_that_comes_late_changes_its_follower(desk: WriteDesk) -> None:
    desk.say("zero", session_id="s", turn=0)
    follower = desk.say("two", session_id="s", turn=2)
    assert_encoded_after(desk, follower, "two", "zero")

    late = desk.say("one", session_id="s", turn=1)

    assert_encoded_after(desk, late, "one", "zero")
    assert_encoded_after(desk, follower, "two", "one")
    assert desk.get(LOCAL, follower.id).memory == follower


def test_turns_of_a_batch_in_any_order_have_the_right_context(desk: WriteDesk) -> None:
    stored = desk.say("five", session_id="s", turn=5)

    desk.store_many(
        LOCAL,
        [NewMemory(content=f"turn {n}", session_id="s", turn=n) for n in (4, 6, 1, 3)],
    )

    page = desk.folder.records.page("default", MemoryFilter(), None, 50)
    by_turn = {m.turn: m for m in page.memories}
    assert_encoded_after(desk, by_turn[1], "turn 1", "")
    assert_encoded_after(desk, by_turn[3], "turn 3", "turn 1")
    assert_encoded_after(desk, by_turn[4], "turn 4", "turn 3")
    assert_encoded_after(desk, stored, "five", "turn 4")
    assert_encoded_after(desk, by_turn[6], "turn 6", "five")


def test_a_batch_encodes_each_text_once(desk: WriteDesk) -> None:
    items = [NewMemory(content=f"turn {n}", session_id="s") for n in range(10)]

    desk.store_many(LOCAL, items)

    assert desk.embedder.encoded == [f"turn {n}" for n in range(10)]


def test_a_changed_turn_changes_its_follower(desk: WriteDesk) -> None:
    first = desk.say("one", session_id="s")
    follower = desk.say("two", session_id="s")

    desk.update(LOCAL, first.id, MemoryPatch(content="uno"))

    assert_encoded_after(desk, follower, "two", "uno")


def test_a_changed_speaker_changes_memory_and_follower(desk: WriteDesk) -> None:
    first = desk.say("one", session_id="s")
    follower = desk.say("two", session_id="s")

    changed = desk.update(LOCAL, first.id, MemoryPatch(speaker="Taro")).memory

    assert_encoded_after(desk, changed, "Taro: one", "")
    assert_encoded_after(desk, follower, "two", "Taro: one")


def test_a_change_that_nobody_reads_in_the_text_encodes_nothing(desk: WriteDesk) -> None:
    first = desk.say("one", session_id="s")
    follower = desk.say("two", session_id="s")
    encoded = list(desk.embedder.encoded)

    changed = desk.update(LOCAL, first.id, MemoryPatch(importance=0.9, tags=("a",))).memory

    assert desk.embedder.encoded == encoded
    assert scoring_of(desk, changed).importance == pytest.approx(0.9)
    assert scoring_of(desk, changed).tags == ("a",)
    assert_encoded_after(desk, changed, "one", "")
    assert_encoded_after(desk, follower, "two", "one")


def test_a_deleted_turn_leaves_its_follower_without_it(desk: WriteDesk) -> None:
    zero = desk.say("zero", session_id="s")
    one = desk.say("one", session_id="s")
    two = desk.say("two", session_id="s")

    desk.delete(LOCAL, one.id)
    assert_encoded_after(desk, two, "two", "zero")

    desk.delete(LOCAL, zero.id)
    assert_encoded_after(desk, two, "two", "")


def test_a_deletion_without_a_model_still_takes_the_words_away(desk: WriteDesk) -> None:
    first = desk.say("pomegranate", session_id="s")
    follower = desk.say("two", session_id="s")
    desk.embedder.is_failing = True

    desk.delete(LOCAL, first.id)

    scoring = scoring_of(desk, follower)
    assert scoring.context_terms.keys.size == scoring.context_terms.counts.size == 0
    assert np.array_equal(scoring.own_terms.keys, analyse("two").keys)


def test_a_turn_that_moves_leaves_one_gap_and_fills_another(desk: WriteDesk) -> None:
    memories = [desk.say(f"turn {n}", session_id="s", turn=n) for n in (1, 2, 3, 5)]

    moved = desk.update(LOCAL, memories[1].id, MemoryPatch(turn=4)).memory

    assert_encoded_after(desk, memories[2], "turn 3", "turn 1")
    assert_encoded_after(desk, moved, "turn 2", "turn 3")
    assert_encoded_after(desk, memories[3], "turn 5", "turn 2")


def test_a_turn_that_moves_to_another_session_joins_its_end(desk: WriteDesk) -> None:
    desk.say("theirs", session_id="t")
    first = desk.say("one", session_id="s")
    follower = desk.say("two", session_id="s")

    moved = desk.update(LOCAL, first.id, MemoryPatch(session_id="t")).memory

    assert moved.turn == 1
    assert_encoded_after(desk, moved, "one", "theirs")
    assert_encoded_after(desk, follower, "two", "")


def test_a_turn_that_leaves_its_session_has_no_turn(desk: WriteDesk) -> None:
    desk.say("one", session_id="s")
    second = desk.say("two", session_id="s")

    freed = desk.update(LOCAL, second.id, MemoryPatch(session_id=None)).memory

    assert (freed.session_id, freed.turn) == (None, None)
    assert_encoded_after(desk, freed, "two", "")


def test_of_equal_turns_the_last_written_is_the_turn_before(desk: WriteDesk) -> None:
    follower = desk.say("five", session_id="s", turn=5)

    desk.store_many(
        LOCAL,
        [NewMemory(content=text, session_id="s", turn=1) for text in ("aardvark", "bumblebee")],
    )

    assert_encoded_after(desk, follower, "five", "bumblebee")


def test_an_equal_turn_takes_the_place_of_one_that_goes(desk: WriteDesk) -> None:
    texts = ("aardvark", "bumblebee")
    both = [desk.say(text, session_id="s", turn=1) for text in texts]
    first, second = sorted(both, key=lambda memory: memory.id)
    follower = desk.say("five", session_id="s", turn=5)
    assert_encoded_after(desk, follower, "five", second.content)

    desk.delete(LOCAL, second.id)
    assert_encoded_after(desk, follower, "five", first.content)

    desk.update(LOCAL, first.id, MemoryPatch(content="antelope"))
    assert_encoded_after(desk, follower, "five", "antelope")


def test_a_memory_passes_by_equal_turns_of_its_own_batch(desk: WriteDesk) -> None:
    desk.say("zero", session_id="s", turn=0)
    desk.say("ten", session_id="s", turn=10)

    answers = desk.store_many(
        LOCAL,
        [
            NewMemory(content=f"say {n}", session_id="s", turn=turn)
            for n, turn in enumerate((3, 3, 4, 4))
        ],
    )

    assert all(not isinstance(a, Exception) for a in answers)
    page = desk.folder.records.page("default", MemoryFilter(), None, 50)
    by_text = {m.content: m for m in page.memories}
    assert_encoded_after(desk, by_text["say 0"], "say 0", "zero")
    assert_encoded_after(desk, by_text["say 1"], "say 1", "zero")
    assert_encoded_after(desk, by_text["say 2"], "say 2", "say 1")
    assert_encoded_after(desk, by_text["say 3"], "say 3", "say 1")
    assert_encoded_after(desk, by_text["ten"], "ten", "say 3")
