"""What `MemoryRecords` promises."""

from dataclasses import replace
from datetime import timedelta

import pytest

from omoide.domain.errors import (
    FingerprintTakenError,
    NotFoundError,
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
from omoide.ports.memory_records import MemoryChange
from tests.contract.folders import Folder
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    request_of,
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


def test_many_changes_are_applied_together(folder: Folder) -> None:
    memory = memory_of("m1")

    folder.records.commit_all(
        [creation_of(memory), update_of(memory, content="Two."), creation_of(memory_of("m2"))]
    )

    assert folder.records.get("m1").version == 2
    assert folder.records.history("m1") == (memory,)
    assert set(folder.index.nominate(request_of("tea")).ids) == {"m1", "m2"}


def test_of_many_changes_none_is_applied_when_one_is_refused(folder: Folder) -> None:
    memory = memory_of("m1", fingerprint="f1")
    stored(folder, memory)

    with pytest.raises(FingerprintTakenError):
        folder.records.commit_all(
            [
                creation_of(memory_of("m2"), operation=operation_of()),
                update_of(memory, content="Two."),
                creation_of(memory_of("m3", fingerprint="f1")),
            ]
        )

    assert folder.records.count("team/a") == 1
    assert folder.records.get("m1") == memory
    assert folder.records.history("m1") == ()
    assert folder.records.find_operation("key-1", "store_memory", "op-1") is None
    assert folder.index.nominate(request_of("tea")).ids == ["m1"]


def test_of_many_changes_each_sees_those_before(folder: Folder) -> None:
    first = memory_of("m1", fingerprint="f1", session_id="s", turn=0)
    second = memory_of("m2", fingerprint="f1", session_id="s", turn=1)

    folder.records.commit_all([creation_of(first), deletion_of(first), creation_of(second)])

    assert folder.records.find_fingerprint("team/a", "f1") == "m2"
    assert folder.records.count("team/a") == 1
    with pytest.raises(VersionConflictError):
        folder.records.commit_all([deletion_of(second), deletion_of(second)])
    assert folder.records.get("m2") == second


def test_many_changes_may_be_in_several_namespaces(folder: Folder) -> None:
    folder.records.commit_all(
        [creation_of(memory_of(f"m{i}", namespace=f"team/{i % 2}")) for i in range(4)]
    )

    assert [folder.records.count(f"team/{i}") for i in range(2)] == [2, 2]
    assert set(folder.index.nominate(request_of("tea", namespace="team/1")).ids) == {"m1", "m3"}


def test_no_changes_do_nothing(folder: Folder) -> None:
    folder.records.commit_all([])

    assert folder.records.count("team/a") == 0
