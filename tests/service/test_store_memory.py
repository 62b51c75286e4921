from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from omoide.domain.errors import (
    ForbiddenError,
    InvalidRequestError,
    ModelUnavailableError,
    PayloadTooLargeError,
    RateLimitedError,
    UnavailableError,
)
from omoide.domain.memory import MemoryType, Status
from omoide.services.limit_requests import LimitRequests
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import Dedupe, NewMemory, Outcome
from tests.service.write_desk import LOCAL, WriteDesk, key, take_down


def test_a_stored_memory_can_be_read_by_its_id(desk: WriteDesk) -> None:
    stored = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))

    assert stored.outcome is Outcome.CREATED
    assert desk.get(LOCAL, stored.view.memory.id).memory == stored.view.memory


def test_what_is_not_given_has_its_default(desk: WriteDesk) -> None:
    memory = desk.say("The tea is in the kitchen.")

    assert memory.namespace == "default"
    assert memory.version == 1
    assert memory.created_at == memory.updated_at == memory.stored_at == desk.clock.now()
    assert memory.event_time == memory.created_at
    assert (memory.memory_type, memory.status) == (MemoryType.SEMANTIC, Status.ACTIVE)
    assert (memory.importance, memory.confidence) == (0.5, 0.5)
    assert (memory.resolved, memory.pinned, memory.turn) == (True, False, None)
    assert memory.language == "en"


def test_everything_given_is_kept(desk: WriteDesk) -> None:
    given: dict[str, Any] = {
        "memory_type": MemoryType.EPISODIC,
        "summary": "tea",
        "language": "ja",
        "tags": ("a", "b", "a"),
        "entities": ("Hanako",),
        "metadata": {"a": [1, {"b": None}]},
        "importance": 0.0,
        "confidence": 1.0,
        "session_id": "s",
        "turn": 7,
        "speaker": "Hanako",
        "valence": -0.5,
        "arousal": 0.9,
        "mood": "calm",
        "pinned": True,
        "resolved": False,
        "timezone": "Asia/Tokyo",
        "expires_at": desk.clock.now() + timedelta(days=1),
    }

    memory = desk.say("お茶が好き", **given)

    for field, value in given.items():
        expected = ("a", "b") if field == "tags" else value
        assert getattr(memory, field) == expected, field


def test_times_are_kept_in_utc_with_milliseconds(desk: WriteDesk) -> None:
    told = datetime(2025, 5, 5, 9, 0, 0, 1_999, tzinfo=timezone(timedelta(hours=9)))

    memory = desk.say("Spring.", event_time=told)

    assert memory.event_time == datetime(2025, 5, 5, 0, 0, 0, 1_000, tzinfo=UTC)
    assert memory.event_time.tzinfo is UTC


def test_the_same_text_again_is_the_same_memory(desk: WriteDesk) -> None:
    first = desk.say("Hanako likes tea.")
    encoded = len(desk.embedder.encoded)

    again = desk.store(LOCAL, NewMemory(content=" hanako likes  TEA"))

    assert again.outcome is Outcome.DUPLICATE
    assert again.view.memory == first
    assert desk.count(LOCAL, None).count == 1
    assert len(desk.embedder.encoded) == encoded


def test_a_repetition_counts_as_a_use_of_the_memory(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")

    desk.clock.advance(days=5)
    again = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))
    desk.folder.uses.flush()

    use = desk.get(LOCAL, memory.id).use
    assert use is not None
    assert use.access_count == 1
    assert desk.get(LOCAL, memory.id).strength > again.view.strength - 1e-9


def test_without_deduplication_every_store_is_a_memory(desk: WriteDesk) -> None:
    new = NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF)

    outcomes = [desk.store(LOCAL, new).outcome for _ in range(3)]

    assert outcomes == [Outcome.CREATED] * 3
    assert desk.count(LOCAL, None).count == 3


@pytest.mark.parametrize(
    "other",
    [
        {"namespace": "elsewhere"},
        {"speaker": "Taro"},
        {"memory_type": MemoryType.EPISODIC},
        {"event_time": datetime(2020, 1, 1, tzinfo=UTC)},
        {"session_id": "s"},
    ],
)
def test_the_same_text_of_another_origin_is_another_memory(
    desk: WriteDesk, other: dict[str, Any]
) -> None:
    first = desk.say("Hanako likes tea.")

    assert desk.say("Hanako likes tea.", **other).id != first.id


def test_a_deleted_text_can_be_stored_again(desk: WriteDesk) -> None:
    first = desk.say("Hanako likes tea.")
    desk.delete(LOCAL, first.id)

    again = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))

    assert again.outcome is Outcome.CREATED
    assert again.view.memory.id != first.id


def test_an_archived_memory_comes_back_when_its_text_is_stored_again(desk: WriteDesk) -> None:
    first = desk.say("Hanako likes tea.")
    desk.update(LOCAL, first.id, MemoryPatch(status=Status.ARCHIVED, archive_reason="old"))
    encoded = len(desk.embedder.encoded)

    again = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))

    memory = desk.get(LOCAL, first.id).memory
    assert again.outcome is Outcome.DUPLICATE
    assert again.view.memory == memory
    assert (memory.status, memory.archived_at, memory.archive_reason) == (Status.ACTIVE, None, None)
    assert memory.version == 3
    assert len(desk.embedder.encoded) == encoded


def test_an_expired_memory_comes_back_when_its_text_is_stored_again(desk: WriteDesk) -> None:
    new = NewMemory(content="Tea at five.", expires_at=desk.clock.now() + timedelta(hours=1))
    first = desk.store(LOCAL, new).view.memory
    desk.clock.advance(hours=2)

    again = desk.store(LOCAL, NewMemory(content="Tea at five."))

    assert again.outcome is Outcome.DUPLICATE
    assert again.view.memory.id == first.id
    assert again.view.memory.expires_at is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", " "),
        ("importance", 1.5),
        ("namespace", ""),
        ("namespace", "users/{userId}"),
        ("expires_at", datetime(2020, 1, 1, tzinfo=UTC)),
        ("event_end", datetime(2020, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_stored(
    desk: WriteDesk, field: str, value: Any
) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        desk.say(**{"content": "x", field: value})

    assert [d.field for d in refused.value.details] == [field]
    assert desk.count(LOCAL, None).count == 0
    assert desk.embedder.encoded == []


def test_a_text_beyond_the_limit_is_too_large(desk: WriteDesk) -> None:
    with pytest.raises(PayloadTooLargeError):
        desk.say("a" * 32_769)


def test_a_key_writes_where_its_scopes_allow_and_nowhere_else(desk: WriteDesk) -> None:
    writer = key("write:team/a/**", "read:team/b/**")

    assert desk.store(writer, NewMemory(content="x")).view.memory.namespace == "team/a"
    desk.store(writer, NewMemory(content="x", namespace="team/a/b/c"))
    for namespace in ["team/b", "team", "default", "team/ab", "Team/a"]:
        with pytest.raises(ForbiddenError):
            desk.store(writer, NewMemory(content="x", namespace=namespace))
    assert desk.count(LOCAL, "team/b").count == 0


def test_a_spelling_of_a_foreign_namespace_opens_nothing(desk: WriteDesk) -> None:
    writer = key("write:team/a/**")

    for namespace in ["team%2Fa/b", "team/%61%2Fb", "te%61m/b"]:
        with pytest.raises(ForbiddenError):
            desk.store(writer, NewMemory(content="x", namespace=namespace))
    stored = desk.store(writer, NewMemory(content="x", namespace="te%61m/a/b")).view.memory
    assert stored.namespace == "team/a/b"


def test_a_key_is_limited_by_the_minute_and_the_local_principal_is_not(desk: WriteDesk) -> None:
    limit = LimitRequests(limiter=desk.folder.limiter, writes_per_minute=2)
    store, writer = replace(desk.store, limit=limit), key("write:**")

    for text in ["one", "two"]:
        store(writer, NewMemory(content=text))
    with pytest.raises(RateLimitedError):
        store(writer, NewMemory(content="three"))
    for text in ["four", "five", "six"]:
        store(LOCAL, NewMemory(content=text))

    assert desk.count(LOCAL, "team/a").count == 2


def test_a_store_without_a_model_is_refused_and_writes_nothing(desk: WriteDesk) -> None:
    desk.embedder.is_failing = True

    with pytest.raises(ModelUnavailableError):
        desk.say("x")

    assert desk.count(LOCAL, None).count == 0


def test_a_store_while_the_records_are_down_is_unavailable(fake_desk: WriteDesk) -> None:
    take_down(fake_desk)

    with pytest.raises(UnavailableError):
        fake_desk.say("x")


def test_the_text_of_a_memory_is_in_no_error(desk: WriteDesk) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        desk.say("my secret\x00", speaker="private " * 100)

    assert "secret" not in str(refused.value)
    assert "private" not in str(refused.value)


def test_a_text_outside_the_vocabulary_says_that_it_has_no_vectors(desk: WriteDesk) -> None:
    known = desk.store(LOCAL, NewMemory(content="Hanako likes tea."))
    unknown = desk.store(LOCAL, NewMemory(content="\ue000\ue001 \ue002 word"))

    assert not known.is_lexical_only
    assert unknown.is_lexical_only


def test_a_text_longer_than_the_model_reads_says_so_and_is_found_by_its_ends_and_words(
    desk: WriteDesk,
) -> None:
    words = [chr(ord("a") + n % 26) for n in range(12_000)]
    fits = desk.store(LOCAL, NewMemory(content=" ".join(words[:100])))
    long = NewMemory(content=" ".join(words))

    assert not fits.is_partly_lexical
    assert desk.store(LOCAL, long).is_partly_lexical
    assert desk.store(LOCAL, long).is_partly_lexical


def test_a_duplicate_and_a_repeated_call_say_of_the_memory_whether_it_has_vectors(
    desk: WriteDesk,
) -> None:
    new = NewMemory(content="\ue000\ue001 \ue002 word")
    desk.store(LOCAL, new, operation_id="op-1")

    for operation_id in ["op-1", "op-2", None]:
        assert desk.store(LOCAL, new, operation_id=operation_id).is_lexical_only
    desk.say("Hanako likes tea.")
    assert not desk.store(LOCAL, NewMemory(content="Hanako likes tea.")).is_lexical_only
