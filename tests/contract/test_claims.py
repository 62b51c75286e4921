"""What two writes may not both have: a fingerprint, an operation id."""

from datetime import timedelta

import pytest

from omoide.adapters.fake import FakeClock
from omoide.domain.errors import (
    FingerprintTakenError,
    OperationTakenError,
    VersionConflictError,
)
from omoide.domain.memory import Memory
from tests.contract.folders import Folder
from tests.contract.samples import (
    creation_of,
    memory_of,
    operation_of,
    update_of,
)


def stored(folder: Folder, *memories: Memory) -> None:
    for memory in memories:
        folder.records.commit(creation_of(memory))


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
