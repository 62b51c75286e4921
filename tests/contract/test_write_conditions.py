"""What a write may look up and insist on beyond its own version."""

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from omoide.adapters.fake import FakeClock
from omoide.domain.errors import NotFoundError, OperationTakenError, VersionConflictError
from omoide.domain.memory import Memory
from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.ports.memory_records import Neighbour, SessionPlace
from tests.contract.folders import Folder
from tests.contract.samples import (
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    scoring_of,
    update_of,
)


def plain(scoring: ScoringData | None) -> dict[str, Any]:
    assert scoring is not None
    values = {f.name: getattr(scoring, f.name) for f in fields(ScoringData)}
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> object:
    if isinstance(value, TermCounts):
        return value.keys.tolist(), value.counts.tolist()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return pytest.approx(value) if isinstance(value, float) else value


def turn_of(memory_id: str, turn: int, **values: Any) -> Memory:
    return memory_of(memory_id, f"turn {turn}", session_id="s", turn=turn, **values)


def store_turns(folder: Folder, *turns: int) -> list[Memory]:
    memories = [turn_of(f"m{turn}", turn) for turn in turns]
    for memory in memories:
        folder.records.commit(creation_of(memory))
    return memories


def beside(memory: Memory | None) -> Neighbour | None:
    return None if memory is None else Neighbour(memory_id=memory.id, version=memory.version)


def test_an_operation_without_a_change_is_recorded_once(folder: Folder, clock: FakeClock) -> None:
    operation = operation_of(outcome="duplicate")
    folder.records.record_operation(operation)

    assert folder.records.find_operation("key-1", "store_memory", "op-1") == operation
    with pytest.raises(OperationTakenError):
        folder.records.record_operation(operation)
    with pytest.raises(OperationTakenError):
        folder.records.commit(creation_of(memory_of("m1"), operation=operation))
    with pytest.raises(NotFoundError):
        folder.records.get("m1")

    later = clock.advance(hours=24)
    renewed = replace(operation, expires_at=later + timedelta(hours=24))
    folder.records.record_operation(renewed)
    assert folder.records.find_operation("key-1", "store_memory", "op-1") == renewed


def test_stored_scoring_data_is_found_as_it_was_written(folder: Folder) -> None:
    memory = memory_of(
        "m1", "Who likes tea? お茶", speaker="Hanako", session_id="s", turn=3, tags=("a", "b")
    )
    folder.records.commit(creation_of(memory, "the turn before"))

    found = folder.records.find_scoring("m1", REVISION)

    assert plain(found) == plain(scoring_of(memory, "the turn before"))


def test_scoring_data_of_another_revision_or_a_deleted_memory_is_not_found(
    folder: Folder,
) -> None:
    memory = memory_of("m1")
    folder.records.commit(creation_of(memory))

    assert folder.records.find_scoring("m1", "another revision") is None
    assert folder.records.find_scoring("unknown", REVISION) is None
    assert folder.records.find_scoring("m1") is not None
    folder.records.commit(deletion_of(memory))
    assert folder.records.find_scoring("m1", REVISION) is None
    assert folder.records.find_scoring("m1") is None


def test_a_write_between_the_neighbours_it_saw_is_committed(folder: Folder) -> None:
    before, after = store_turns(folder, 1, 9)
    place = SessionPlace(previous=beside(before), next=beside(after), is_assigned=True)

    folder.records.commit(creation_of(turn_of("new", 5), place=place))

    assert folder.records.get("new").turn == 5


def test_a_first_turn_has_no_neighbours(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("other", "x", session_id="t", turn=1)))
    place = SessionPlace(previous=None, next=None, is_assigned=True)

    folder.records.commit(creation_of(turn_of("new", 5), place=place))

    assert folder.records.get("new").turn == 5


def test_a_write_whose_neighbours_are_others_by_now_is_refused(folder: Folder) -> None:
    first, second, third = store_turns(folder, 1, 5, 9)
    changed = replace(second, version=2)
    wrong = [
        SessionPlace(previous=None, next=beside(third)),
        SessionPlace(previous=beside(first), next=beside(third)),
        SessionPlace(previous=beside(changed), next=beside(third)),
        SessionPlace(previous=beside(second), next=None),
        SessionPlace(previous=beside(second), next=Neighbour(memory_id="m9", version=2)),
    ]

    for place in wrong:
        with pytest.raises(VersionConflictError):
            folder.records.commit(creation_of(turn_of("new", 7), place=place))

    with pytest.raises(NotFoundError):
        folder.records.get("new")


def test_an_assigned_turn_is_given_once_a_chosen_one_may_be_shared(folder: Folder) -> None:
    store_turns(folder, 5)
    place = SessionPlace(previous=None, next=None, is_assigned=True)

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(turn_of("new", 5), place=place))
    folder.records.commit(creation_of(turn_of("new", 5), place=replace(place, is_assigned=False)))

    assert folder.records.get("new").turn == 5


def test_a_write_that_takes_any_neighbours_still_insists_on_its_assigned_turn(
    folder: Folder,
) -> None:
    store_turns(folder, 1, 5)
    place = SessionPlace(is_assigned=True, is_between=False)

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(turn_of("new", 5), place=place))
    folder.records.commit(creation_of(turn_of("new", 7), place=place))

    assert folder.records.get("new").turn == 7


def test_a_memory_is_no_neighbour_of_its_own(folder: Folder) -> None:
    first, moving, last = store_turns(folder, 1, 5, 9)
    place = SessionPlace(previous=beside(first), next=beside(last))

    folder.records.commit(replace(update_of(moving, turn=7), place=place))
    moved = folder.records.get("m5")
    folder.records.commit(replace(deletion_of(moved), place=place))

    with pytest.raises(NotFoundError):
        folder.records.get("m5")
