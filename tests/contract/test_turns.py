"""Turns of a session, and scoring data that follow a change of the turn before."""

from omoide.domain.memory import Memory
from omoide.ports.memory_records import Rescoring
from tests.contract.folders import Folder
from tests.contract.samples import (
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    scoring_of,
    update_of,
)


def stored(folder: Folder, *memories: Memory) -> None:
    for memory in memories:
        folder.records.commit(creation_of(memory))


def test_turns_are_found_beside_a_given_one(folder: Folder) -> None:
    for turn in (2, 9, 10, 100):
        stored(folder, memory_of(f"m{turn}", session_id="s", turn=turn))
    stored(
        folder,
        memory_of("other-session", session_id="t", turn=8),
        memory_of("other-namespace", session_id="s", turn=8, namespace="team/b"),
        memory_of("no-turn", session_id="s"),
        memory_of("no-session", turn=8),
    )
    records = folder.records

    previous = [records.previous_turn("team/a", "s", turn) for turn in (2, 9, 10, 101)]
    following = [records.next_turn("team/a", "s", turn) for turn in (1, 2, 10, 100)]

    assert [m and m.id for m in previous] == [None, "m2", "m9", "m100"]
    assert [m and m.id for m in following] == ["m2", "m9", "m100", None]
    assert records.last_turn("team/a", "s") == 100
    assert records.last_turn("team/a", "unknown") is None
    assert records.last_turn("nowhere", "s") is None


def test_a_turn_that_moves_is_found_at_its_new_place_alone(folder: Folder) -> None:
    memory = memory_of("m1", session_id="s", turn=1)
    stored(folder, memory)
    folder.records.commit(update_of(memory, turn=5))

    found = folder.records.next_turn("team/a", "s", 1)

    assert found is not None
    assert found.turn == 5
    assert folder.records.previous_turn("team/a", "s", 5) is None


def test_followers_are_scored_anew_with_the_write(folder: Folder) -> None:
    follower = memory_of("m2", "Yes, every day.", session_id="s", turn=2)
    stored(folder, follower)
    rescoring = Rescoring(scoring=scoring_of(follower, previous="Do you like espresso?"))
    first = memory_of("m1", "Do you like espresso?", session_id="s", turn=1)

    folder.records.commit(creation_of(first, rescorings=(rescoring,)))

    pool = folder.index.nominate(request_of("espresso", neighbours=False, vector=None))
    assert set(pool.ids) == {"m1", "m2"}
    assert folder.records.get("m2") == follower


def test_scoring_data_of_an_earlier_version_is_skipped(folder: Folder) -> None:
    follower = memory_of("m2", "Yes, every day.")
    stored(folder, follower)
    late = Rescoring(scoring=scoring_of(follower, previous="Do you like espresso?"))
    folder.records.commit(update_of(follower, content="No, never."))

    folder.records.commit(creation_of(memory_of("m1", "Something."), rescorings=(late,)))

    pool = folder.index.nominate(request_of("espresso", neighbours=False, vector=None))
    assert pool.ids == []


def test_scoring_data_of_a_deleted_memory_is_skipped(folder: Folder) -> None:
    follower = memory_of("m2", "Yes, every day.")
    stored(folder, follower)
    late = Rescoring(scoring=scoring_of(follower))
    folder.records.commit(deletion_of(follower))

    folder.records.commit(creation_of(memory_of("m1", "Something."), rescorings=(late,)))

    assert folder.index.nominate(request_of("every day")).ids == ["m1"]


def test_of_equal_turns_the_ids_decide_and_some_can_be_passed_over(folder: Folder) -> None:
    for memory_id, turn in (("a", 1), ("b", 1), ("c", 3), ("d", 3)):
        stored(folder, memory_of(memory_id, session_id="s", turn=turn))
    records = folder.records

    previous = [
        records.previous_turn("team/a", "s", 2, without=without)
        for without in ((), ("b",), ["a", "b"], {"d": None})
    ]
    following = [
        records.next_turn("team/a", "s", 2, without=without)
        for without in ((), ("c",), ["c", "d"], {"a": None})
    ]

    assert [m and m.id for m in previous] == ["b", "a", None, "b"]
    assert [m and m.id for m in following] == ["c", "d", None, "c"]
