from datetime import UTC, datetime

import pytest

from omoide.domain.errors import (
    IdempotencyMismatchError,
    InvalidRequestError,
    NotFoundError,
    OmoideError,
)
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import Dedupe, NewMemory, Outcome, Stored
from tests.service.write_desk import LOCAL, WriteDesk, key

TEA = NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF)


def test_the_same_call_again_gives_the_first_answer(desk: WriteDesk) -> None:
    first = desk.store(LOCAL, TEA, operation_id="op-1")
    encoded = len(desk.embedder.encoded)

    again = desk.store(LOCAL, TEA, operation_id="op-1")

    assert again == first
    assert desk.count(LOCAL, None).count == 1
    assert len(desk.embedder.encoded) == encoded


def test_a_repeated_answer_shows_the_record_as_it_is_by_then(desk: WriteDesk) -> None:
    first = desk.store(LOCAL, TEA, operation_id="op-1").view.memory
    desk.update(LOCAL, first.id, MemoryPatch(content="Hanako likes coffee."))

    again = desk.store(LOCAL, TEA, operation_id="op-1")

    assert again.outcome is Outcome.CREATED
    assert again.view.memory.content == "Hanako likes coffee."


def test_a_call_whose_memory_was_deleted_is_not_found(desk: WriteDesk) -> None:
    first = desk.store(LOCAL, TEA, operation_id="op-1").view.memory
    desk.delete(LOCAL, first.id)

    with pytest.raises(NotFoundError):
        desk.store(LOCAL, TEA, operation_id="op-1")


def test_another_request_under_the_same_operation_id_is_refused(desk: WriteDesk) -> None:
    desk.store(LOCAL, TEA, operation_id="op-1")

    for other in [
        NewMemory(content="Hanako likes coffee.", dedupe=Dedupe.OFF),
        NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF, tags=("x",)),
        NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF, namespace="elsewhere"),
        NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF, metadata={"a": 1}),
    ]:
        with pytest.raises(IdempotencyMismatchError):
            desk.store(LOCAL, other, operation_id="op-1")

    assert desk.count(LOCAL, None).count == 1


def test_the_same_request_spelt_differently_is_the_same(desk: WriteDesk) -> None:
    noon = datetime(2025, 1, 1, 12, tzinfo=UTC)
    first = desk.store(LOCAL, NewMemory(content="x", event_time=noon), operation_id="a")

    again = desk.store(
        LOCAL,
        NewMemory(content="x", namespace="default", event_time=noon.replace(tzinfo=None)),
        operation_id="a",
    )

    assert again == first


def test_a_duplicate_is_remembered_as_one(desk: WriteDesk) -> None:
    first = desk.say("Hanako likes tea.")
    new = NewMemory(content="hanako likes tea")
    desk.store(LOCAL, new, operation_id="op-2")

    assert desk.store(LOCAL, new, operation_id="op-2").outcome is Outcome.DUPLICATE
    with pytest.raises(IdempotencyMismatchError):
        desk.store(LOCAL, NewMemory(content="other"), operation_id="op-2")
    desk.delete(LOCAL, first.id)
    with pytest.raises(NotFoundError):
        desk.store(LOCAL, new, operation_id="op-2")


def test_operation_ids_of_different_keys_have_nothing_to_do_with_each_other(
    desk: WriteDesk,
) -> None:
    one, other = key("write:**", key_id="one"), key("write:**", key_id="other")

    first = desk.store(one, TEA, operation_id="op-1").view.memory
    second = desk.store(other, TEA, operation_id="op-1").view.memory

    assert first.id != second.id


def test_an_operation_id_is_forgotten_after_a_day(desk: WriteDesk) -> None:
    first = desk.store(LOCAL, TEA, operation_id="op-1").view.memory
    desk.clock.advance(hours=24)

    again = desk.store(LOCAL, TEA, operation_id="op-1").view.memory

    assert again.id != first.id


def test_a_refused_request_leaves_its_operation_id_free(desk: WriteDesk) -> None:
    with pytest.raises(InvalidRequestError):
        desk.store(LOCAL, NewMemory(content=""), operation_id="op-1")

    assert desk.store(LOCAL, TEA, operation_id="op-1").outcome is Outcome.CREATED


def test_each_item_of_a_batch_is_an_idempotent_call(desk: WriteDesk) -> None:
    items: list[NewMemory | OmoideError] = [TEA, NewMemory(content="")]
    first = desk.store_many(LOCAL, items, operation_id="b")

    again = desk.store_many(LOCAL, [TEA, NewMemory(content="now right")], operation_id="b")

    assert again[0] == first[0]
    assert isinstance(again[1], Stored)
    assert desk.count(LOCAL, None).count == 2


def test_another_item_at_the_same_place_of_a_batch_is_refused_alone(desk: WriteDesk) -> None:
    desk.store_many(LOCAL, [TEA], operation_id="b")

    answers = desk.store_many(
        LOCAL, [NewMemory(content="other"), NewMemory(content="more")], operation_id="b"
    )

    assert isinstance(answers[0], IdempotencyMismatchError)
    assert isinstance(answers[1], Stored)


def test_an_update_is_made_once_under_its_operation_id(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")
    patch = MemoryPatch(content="Hanako likes coffee.")
    desk.update(LOCAL, memory.id, patch, operation_id="u", expected_version=1)
    desk.update(LOCAL, memory.id, MemoryPatch(content="Hanako likes cocoa."))

    again = desk.update(LOCAL, memory.id, patch, operation_id="u", expected_version=1)

    assert again.memory.content == "Hanako likes cocoa."
    with pytest.raises(IdempotencyMismatchError):
        desk.update(LOCAL, memory.id, MemoryPatch(content="x"), operation_id="u")


def test_an_update_that_changed_nothing_is_remembered_too(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")
    desk.update(LOCAL, memory.id, MemoryPatch(pinned=False), operation_id="u")

    with pytest.raises(IdempotencyMismatchError):
        desk.update(LOCAL, memory.id, MemoryPatch(pinned=True), operation_id="u")
