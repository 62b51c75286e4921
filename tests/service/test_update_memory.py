from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from omoide.domain.errors import (
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    ModelUnavailableError,
    NotFoundError,
    PayloadTooLargeError,
    VersionConflictError,
)
from omoide.domain.memory import (
    ContentType,
    JsonValue,
    Layer,
    Memory,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    VerificationStatus,
)
from omoide.domain.unset import UNSET
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import NewMemory, Outcome
from tests.service.write_desk import LOCAL, WriteDesk, key

PAST = datetime(2020, 1, 1, tzinfo=UTC)
FUTURE = datetime(2030, 1, 1, tzinfo=UTC)
VALUES: dict[str, Any] = {
    "content": "Hanako likes coffee.",
    "summary": "coffee",
    "content_type": ContentType.DOCUMENT,
    "language": "fr",
    "tags": ("a",),
    "entities": ("Hanako",),
    "metadata": {"a": 1},
    "memory_type": MemoryType.PROCEDURAL,
    "memory_subtype": MemorySubtype.INFERENCE,
    "layer": Layer.DECISION,
    "importance": 0.9,
    "confidence": 0.1,
    "verification_status": VerificationStatus.VERIFIED,
    "valence": 0.2,
    "arousal": 0.3,
    "mood": "calm",
    "status": Status.ARCHIVED,
    "archive_reason": "old",
    "pinned": True,
    "resolved": False,
    "source_type": SourceType.OBSERVATION,
    "source_id": "doc-1",
    "session_id": "s",
    "speaker": "Hanako",
    "turn": 3,
    "event_time": PAST,
    "event_end": FUTURE,
    "timezone": "Asia/Tokyo",
    "invalidated_at": FUTURE,
    "expires_at": FUTURE,
}


@pytest.mark.parametrize("field", [f.name for f in fields(MemoryPatch)])
def test_every_field_of_a_patch_changes_that_field(desk: WriteDesk, field: str) -> None:
    memory = desk.say("Hanako likes tea.", session_id="s0" if field == "turn" else None)

    view = desk.update(LOCAL, memory.id, MemoryPatch(**{field: VALUES[field]}))

    assert getattr(view.memory, field) == VALUES[field]
    assert view.memory.version == 2
    assert desk.get(LOCAL, memory.id).memory == view.memory


def test_a_patch_cannot_name_what_never_changes() -> None:
    changeable = {f.name for f in fields(MemoryPatch)}
    fixed = {f.name for f in fields(Memory)} - changeable

    assert {"id", "namespace", "version", "schema", "created_at", "updated_at"} <= fixed
    assert {"stored_at", "agent_id", "user_id", "fingerprint", "superseded_by"} <= fixed
    assert changeable <= {f.name for f in fields(Memory)}


def test_what_a_patch_does_not_mention_stays(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.", tags=("a",), summary="tea", importance=0.8)
    desk.clock.advance(days=1)

    changed = desk.update(LOCAL, memory.id, MemoryPatch(summary=None)).memory

    assert changed.summary is None
    assert changed.updated_at == desk.clock.now()
    for field in ["content", "tags", "importance", "created_at", "stored_at", "event_time"]:
        assert getattr(changed, field) == getattr(memory, field)


def test_a_change_goes_to_the_history(desk: WriteDesk) -> None:
    memory = desk.say("one")
    for text in ["two", "three"]:
        desk.update(LOCAL, memory.id, MemoryPatch(content=text))

    versions = desk.folder.records.history(memory.id)

    assert [(m.version, m.content) for m in versions] == [(1, "one"), (2, "two")]


def test_a_clock_set_back_does_not_make_a_change_older_than_the_record(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.clock.advance(seconds=-3600)

    changed = desk.update(LOCAL, memory.id, MemoryPatch(content="two")).memory

    assert changed.updated_at == memory.updated_at


def test_a_change_that_changes_nothing_makes_no_version(desk: WriteDesk) -> None:
    memory = desk.say("one", tags=("a",))

    for patch in [MemoryPatch(), MemoryPatch(content="one", tags=("a", "a"), pinned=False)]:
        assert desk.update(LOCAL, memory.id, patch).memory == memory


def test_a_change_of_another_version_is_refused(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.update(LOCAL, memory.id, MemoryPatch(pinned=True), expected_version=1)

    for version in [0, 1, 3]:
        with pytest.raises(VersionConflictError):
            desk.update(LOCAL, memory.id, MemoryPatch(content="x"), expected_version=version)

    assert desk.get(LOCAL, memory.id).memory.content == "one"


def test_a_text_that_another_memory_holds_is_refused_and_that_memory_named(
    desk: WriteDesk,
) -> None:
    held = desk.say("Hanako likes tea.")
    other = desk.say("Hanako likes coffee.")

    with pytest.raises(ConflictError, match=held.id) as refused:
        desk.update(LOCAL, other.id, MemoryPatch(content="hanako likes tea!"))

    assert not isinstance(refused.value, VersionConflictError)
    assert desk.get(LOCAL, other.id).memory == other


def test_a_changed_text_is_known_again_and_the_old_one_is_free(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")
    desk.update(LOCAL, memory.id, MemoryPatch(content="Hanako likes coffee."))

    new_text = desk.store(LOCAL, NewMemory(content="Hanako likes coffee."))
    old_text = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))

    assert (new_text.outcome, new_text.view.memory.id) == (Outcome.DUPLICATE, memory.id)
    assert old_text.outcome is Outcome.CREATED


def test_an_expired_memory_lives_on_with_a_later_expiry_and_not_by_its_status(
    desk: WriteDesk,
) -> None:
    memory = desk.say("one", expires_at=desk.clock.now() + timedelta(hours=1))
    desk.clock.advance(hours=1)

    with pytest.raises(InvalidRequestError) as refused:
        desk.update(LOCAL, memory.id, MemoryPatch(status=Status.ACTIVE))
    renamed = desk.update(LOCAL, memory.id, MemoryPatch(importance=0.9))
    kept = desk.update(LOCAL, memory.id, MemoryPatch(status=Status.ACTIVE, expires_at=None))

    assert refused.value.details[0].field == "status"
    assert (renamed.status, kept.status) == (Status.EXPIRED, Status.ACTIVE)


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        (MemoryPatch(content=" "), "content"),
        (MemoryPatch(importance=2), "importance"),
        (MemoryPatch(turn=1), "turn"),
        (MemoryPatch(event_end=PAST), "event_end"),
        (MemoryPatch(status=Status.SUPERSEDED), "status"),
        (MemoryPatch(status=Status.EXPIRED), "status"),
        (MemoryPatch(tags=("\x00",)), "tags"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_changes(
    desk: WriteDesk, patch: MemoryPatch, field: str
) -> None:
    memory = desk.say("one")

    with pytest.raises(InvalidRequestError) as refused:
        desk.update(LOCAL, memory.id, patch)

    assert [d.field for d in refused.value.details] == [field]
    assert desk.get(LOCAL, memory.id).memory == memory


def test_a_text_beyond_the_limit_is_too_large(desk: WriteDesk) -> None:
    memory = desk.say("one")

    with pytest.raises(PayloadTooLargeError):
        desk.update(LOCAL, memory.id, MemoryPatch(content="a" * 32_769))


def test_archiving_and_restoring_keep_the_date(desk: WriteDesk) -> None:
    memory = desk.say("one")
    archived_at = desk.clock.advance(days=1)

    patch = MemoryPatch(status=Status.ARCHIVED, archive_reason="stale")
    archived = desk.update(LOCAL, memory.id, patch).memory
    desk.clock.advance(days=1)
    tagged = desk.update(LOCAL, memory.id, MemoryPatch(tags=("x",))).memory
    restored = desk.update(LOCAL, memory.id, MemoryPatch(status=Status.ACTIVE)).memory

    assert (archived.archived_at, archived.archive_reason) == (archived_at, "stale")
    assert tagged.archived_at == archived_at
    assert (restored.archived_at, restored.archive_reason) == (None, None)


def test_a_patch_that_encodes_nothing_needs_no_model(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.embedder.is_failing = True

    assert desk.update(LOCAL, memory.id, MemoryPatch(pinned=True)).memory.pinned
    with pytest.raises(ModelUnavailableError):
        desk.update(LOCAL, memory.id, MemoryPatch(content="two"))


def test_an_id_is_accepted_in_upper_case(desk: WriteDesk) -> None:
    memory = desk.say("one")

    assert desk.update(LOCAL, memory.id.upper(), MemoryPatch(pinned=True)).memory.id == memory.id


def test_reading_is_not_enough_to_change(desk: WriteDesk) -> None:
    memory = desk.say("one", namespace="team/a")
    reader = key("read:team/a/**")

    with pytest.raises(ForbiddenError):
        desk.update(reader, memory.id, MemoryPatch(pinned=True))
    with pytest.raises(ForbiddenError):
        desk.delete(reader, memory.id)

    assert desk.get(reader, memory.id).memory == memory


def test_deleted_and_unknown_memories_cannot_be_changed(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.delete(LOCAL, memory.id)

    for memory_id in [memory.id, "019b76da-a800-70a2-be0a-1128a3d399d2", "nonsense", ""]:
        with pytest.raises(NotFoundError):
            desk.update(LOCAL, memory_id, MemoryPatch(pinned=True))


def test_expiry_can_be_set_and_taken_away(desk: WriteDesk) -> None:
    memory = desk.say("one")
    soon = desk.clock.now() + timedelta(hours=1)

    assert desk.update(LOCAL, memory.id, MemoryPatch(expires_at=soon)).memory.expires_at == soon
    assert desk.update(LOCAL, memory.id, MemoryPatch(expires_at=None)).memory.expires_at is None


def test_an_empty_patch_mentions_nothing() -> None:
    assert all(getattr(MemoryPatch(), f.name) is UNSET for f in fields(MemoryPatch))
    assert repr(UNSET) == "UNSET"


@pytest.mark.parametrize("depth", [17, 400, 1_500])
def test_metadata_nested_too_deeply_is_named_also_in_an_idempotent_call(
    desk: WriteDesk, depth: int
) -> None:
    memory = desk.say("one")
    metadata: dict[str, JsonValue] = {"a": 1}
    for _ in range(depth):
        metadata = {"a": metadata}

    for operation_id in [None, "op-1"]:
        with pytest.raises(InvalidRequestError, match="metadata: is nested deeper"):
            desk.update(LOCAL, memory.id, MemoryPatch(metadata=metadata), operation_id=operation_id)
