"""What `MemoryRecords` promises."""

from dataclasses import replace
from datetime import timedelta

import pytest

from omoide.adapters.fake import FakeClock
from omoide.domain.errors import (
    FingerprintTakenError,
    NotFoundError,
    OperationTakenError,
    VersionConflictError,
)
from omoide.domain.memory import (
    ContentType,
    Layer,
    Memory,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    TriggerType,
    VerificationStatus,
)
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_records import MemoryChange, Rescoring
from tests.contract.folders import Folder
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    request_of,
    scoring_of,
    update_of,
)

FULL = memory_of(
    "m-full",
    "花子はお茶が好き。",
    summary="お茶",
    content_type=ContentType.CODE,
    language="ja",
    tags=("tea", "好き", "a'b\"c"),
    entities=("花子",),
    metadata={"a": [1, 2.5, None, {"b": True}], "c": "x"},
    memory_type=MemoryType.EPISODIC,
    memory_subtype=MemorySubtype.USER_EXPLICIT,
    layer=Layer.DECISION,
    importance=0.7,
    confidence=0.1,
    confidence_basis="said so",
    corroborating_sources=("s1",),
    contradicting_sources=("s2", "s3"),
    confidence_updated_at=NOW + timedelta(microseconds=1),
    verification_status=VerificationStatus.VERIFIED,
    last_verified_at=NOW,
    valence=-0.25,
    arousal=0.0,
    mood="calm",
    status=Status.ARCHIVED,
    pinned=True,
    resolved=False,
    archived_at=NOW,
    archive_reason="old",
    source_type=SourceType.INFERENCE,
    source_id="src",
    agent_id="agent",
    user_id="user",
    session_id="session",
    speaker="Hanako",
    turn=0,
    event_end=NOW + timedelta(days=1),
    invalidated_at=NOW + timedelta(days=2),
    expires_at=NOW + timedelta(days=3),
    last_activated_at=NOW - timedelta(days=1),
    superseded_by="m-next",
    supersedes=("m-old",),
    parent_id="m-parent",
    related_ids=("m-a", "m-b"),
    trigger_type=TriggerType.TIME,
    trigger_at=NOW,
    trigger_condition="when",
    recurrence="FREQ=DAILY",
    timezone="Asia/Tokyo",
    next_due_at=NOW,
    triggered_at=NOW,
    trigger_count=3,
    acknowledged_at=NOW,
    fingerprint="f" * 64,
)


def stored(folder: Folder, *memories: Memory) -> None:
    for memory in memories:
        folder.records.commit(creation_of(memory))


def test_what_is_committed_is_read_back_field_by_field(folder: Folder) -> None:
    stored(folder, FULL, memory_of("m-plain"))

    assert folder.records.get("m-full") == FULL
    assert folder.records.get("m-plain") == memory_of("m-plain")


def test_an_unknown_id_is_not_found(folder: Folder) -> None:
    with pytest.raises(NotFoundError):
        folder.records.get("m1")


def test_many_are_read_from_one_namespace_alone(folder: Folder) -> None:
    stored(folder, memory_of("m1"), memory_of("m2"), memory_of("m3", namespace="team/b"))

    found = folder.records.get_many("team/a", ["m2", "m3", "m1", "unknown", "m2"])

    assert set(found) == {"m1", "m2"}
    assert folder.records.get_many("nowhere", ["m1"]) == {}


def test_an_id_is_stored_once(folder: Folder) -> None:
    stored(folder, memory_of("m1"))

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(memory_of("m1", "Another text.")))

    assert folder.records.get("m1").content == "Hanako likes tea."


def test_an_update_of_an_earlier_version_changes_nothing(folder: Folder) -> None:
    first = memory_of("m1")
    stored(folder, first)
    folder.records.commit(update_of(first, content="Hanako likes coffee."))

    with pytest.raises(VersionConflictError):
        folder.records.commit(update_of(first, content="Hanako likes water."))

    assert folder.records.get("m1").content == "Hanako likes coffee."


@pytest.mark.parametrize("expected", [1, 7])
def test_an_update_of_an_unknown_id_is_a_conflict(folder: Folder, expected: int) -> None:
    memory = memory_of("m1", version=expected)

    with pytest.raises(VersionConflictError):
        folder.records.commit(update_of(memory))


def test_every_former_version_is_kept_oldest_first(folder: Folder) -> None:
    first = memory_of("m1")
    second = replace(first, version=2, content="Two.")
    third = replace(first, version=3, content="Three.")
    stored(folder, first)
    folder.records.commit(update_of(first, content="Two."))
    folder.records.commit(update_of(second, content="Three."))

    assert folder.records.get("m1") == third
    assert folder.records.history("m1") == (first, second)
    assert folder.records.history("unknown") == ()


def test_a_memory_never_changes_its_namespace(folder: Folder) -> None:
    memory = memory_of("m1")
    stored(folder, memory)

    with pytest.raises(ValueError, match="namespace"):
        folder.records.commit(update_of(memory, namespace="team/b"))


def test_a_live_memory_needs_scoring_data(folder: Folder) -> None:
    change = MemoryChange(memory=memory_of("m1"), expected_version=None, scoring=None)

    with pytest.raises(ValueError, match="scoring"):
        folder.records.commit(change)


def test_a_deleted_memory_is_gone_from_every_read(folder: Folder) -> None:
    memory = memory_of("m1", fingerprint="f1", session_id="s", turn=1)
    stored(folder, memory, memory_of("m2"))
    folder.records.commit(update_of(memory))
    memory = folder.records.get("m1")

    folder.records.commit(deletion_of(memory))

    with pytest.raises(NotFoundError):
        folder.records.get("m1")
    assert folder.records.get_many("team/a", ["m1"]) == {}
    assert [m.id for m in folder.records.page("team/a", MemoryFilter(), None, 10).memories] == [
        "m2"
    ]
    assert folder.records.count("team/a") == 1
    assert folder.records.history("m1") == ()
    assert folder.records.find_fingerprint("team/a", "f1") is None
    assert folder.records.last_turn("team/a", "s") is None
    assert folder.index.nominate(request_of("tea")).ids == ["m2"]


def test_a_deleted_memory_can_neither_be_changed_nor_stored_again(folder: Folder) -> None:
    memory = memory_of("m1")
    stored(folder, memory)
    deletion = deletion_of(memory)
    folder.records.commit(deletion)

    for change in (update_of(memory), update_of(deletion.memory), deletion, creation_of(memory)):
        with pytest.raises(VersionConflictError):
            folder.records.commit(change)


def test_an_invisible_memory_is_hidden_until_it_is_shown(folder: Folder) -> None:
    memory = memory_of("m1", visible=False, session_id="s", turn=1)
    stored(folder, memory)

    with pytest.raises(NotFoundError):
        folder.records.get("m1")
    assert folder.records.count("team/a") == 0
    assert folder.records.page("team/a", MemoryFilter(), None, 10).memories == ()
    assert folder.records.last_turn("team/a", "s") is None
    assert folder.index.nominate(request_of("tea")).ids == []

    folder.records.commit(update_of(memory, visible=True))

    assert folder.records.get("m1").version == 2
    assert folder.records.count("team/a") == 1
    assert folder.index.nominate(request_of("tea")).ids == ["m1"]


def test_two_live_memories_of_a_namespace_never_share_a_fingerprint(folder: Folder) -> None:
    stored(folder, memory_of("m1", fingerprint="f1"))

    with pytest.raises(FingerprintTakenError) as taken:
        folder.records.commit(creation_of(memory_of("m2", fingerprint="f1")))

    assert taken.value.memory_id == "m1"
    assert folder.records.count("team/a") == 1
    assert folder.records.find_fingerprint("team/a", "f1") == "m1"


def test_fingerprints_of_other_namespaces_do_not_matter(folder: Folder) -> None:
    stored(folder, memory_of("m1", fingerprint="f1"))
    stored(folder, memory_of("m2", fingerprint="f1", namespace="team/b"))

    assert folder.records.find_fingerprint("team/b", "f1") == "m2"
    assert folder.records.find_fingerprint("nowhere", "f1") is None


def test_a_changed_memory_frees_its_former_fingerprint(folder: Folder) -> None:
    memory = memory_of("m1", fingerprint="f1")
    stored(folder, memory)
    folder.records.commit(update_of(memory, fingerprint="f2"))
    stored(folder, memory_of("m2", fingerprint="f1"))

    assert folder.records.find_fingerprint("team/a", "f1") == "m2"
    assert folder.records.find_fingerprint("team/a", "f2") == "m1"


def test_a_change_to_a_fingerprint_that_is_taken_changes_nothing(folder: Folder) -> None:
    memory = memory_of("m1", fingerprint="f1")
    stored(folder, memory, memory_of("m2", fingerprint="f2"))

    with pytest.raises(FingerprintTakenError):
        folder.records.commit(update_of(memory, fingerprint="f2"))

    assert folder.records.get("m1") == memory
    assert folder.records.find_fingerprint("team/a", "f1") == "m1"


def test_a_fingerprint_given_up_is_free(folder: Folder) -> None:
    memory = memory_of("m1", fingerprint="f1")
    stored(folder, memory)
    folder.records.commit(update_of(memory, fingerprint=None))

    assert folder.records.find_fingerprint("team/a", "f1") is None


def test_an_operation_is_recorded_with_its_write(folder: Folder) -> None:
    operation = operation_of()
    folder.records.commit(creation_of(memory_of("m1"), operation=operation))

    assert folder.records.find_operation("key-1", "store_memory", "op-1") == operation
    assert folder.records.find_operation("key-2", "store_memory", "op-1") is None
    assert folder.records.find_operation("key-1", "update_memory", "op-1") is None


def test_an_operation_recorded_already_refuses_the_write(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1"), operation=operation_of()))

    with pytest.raises(OperationTakenError):
        folder.records.commit(creation_of(memory_of("m2"), operation=operation_of()))

    assert folder.records.count("team/a") == 1


def test_a_repeated_operation_is_told_before_any_other_conflict(folder: Folder) -> None:
    change = creation_of(memory_of("m1", fingerprint="f1"), operation=operation_of())
    folder.records.commit(change)

    with pytest.raises(OperationTakenError):
        folder.records.commit(change)
    with pytest.raises(OperationTakenError):
        folder.records.commit(
            creation_of(memory_of("m2", fingerprint="f1"), operation=operation_of())
        )


def test_an_expired_operation_is_replaced(folder: Folder, clock: FakeClock) -> None:
    folder.records.commit(creation_of(memory_of("m1"), operation=operation_of()))
    clock.advance(hours=24)
    later = operation_of(memory_id="m2", expires_at=clock.now() + timedelta(hours=24))

    folder.records.commit(creation_of(memory_of("m2"), operation=later))

    assert folder.records.find_operation("key-1", "store_memory", "op-1") == later


def test_an_expired_operation_can_still_be_looked_at(folder: Folder, clock: FakeClock) -> None:
    operation = operation_of()
    folder.records.commit(creation_of(memory_of("m1"), operation=operation))
    clock.advance(hours=25)

    assert folder.records.find_operation("key-1", "store_memory", "op-1") == operation


def test_a_write_that_is_refused_records_no_operation(folder: Folder) -> None:
    stored(folder, memory_of("m1"))

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(memory_of("m1"), operation=operation_of()))

    assert folder.records.find_operation("key-1", "store_memory", "op-1") is None


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
