"""What another write does between the reading and the writing of a change."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from omoide.adapters.dynamodb.keys import DynamoKeyStore
from omoide.adapters.fake import FakeClock, FakeEntropy
from omoide.domain.errors import (
    FingerprintTakenError,
    OperationTakenError,
    RateLimitedError,
    UnavailableError,
    VersionConflictError,
)
from omoide.domain.memory import Memory
from omoide.ports.memory_records import Neighbour, Rescoring, SessionPlace
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import Accessed
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    scoring_of,
    update_of,
)
from tests.contract.table_folder import TableFolder, open_table
from tests.unit.dynamodb.wire import Wire

WRITE = "TransactWriteItems"


def turn_of(memory_id: str, turn: int, **fields: Any) -> Memory:
    return memory_of(memory_id, f"turn {turn}", session_id="s", turn=turn, **fields)


def test_of_two_equal_texts_stored_at_once_one_is_kept(folder: TableFolder, wire: Wire) -> None:
    first = creation_of(memory_of("m1", fingerprint="f1"))
    wire.interfere(WRITE, lambda: folder.records.commit(first))

    with pytest.raises(FingerprintTakenError) as taken:
        folder.records.commit(creation_of(memory_of("m2", fingerprint="f1")))

    assert taken.value.memory_id == "m1"
    assert folder.records.count("team/a") == 1


def test_of_two_updates_of_one_version_one_wins(folder: TableFolder, wire: Wire) -> None:
    memory = memory_of("m1")
    folder.records.commit(creation_of(memory))
    wire.interfere(WRITE, lambda: folder.records.commit(update_of(memory, content="First.")))

    with pytest.raises(VersionConflictError):
        folder.records.commit(update_of(memory, content="Second."))

    assert folder.records.get("m1").content == "First."
    assert folder.records.history("m1") == (memory,)


def test_an_id_is_given_once(folder: TableFolder, wire: Wire) -> None:
    wire.interfere(WRITE, lambda: folder.records.commit(creation_of(memory_of("m1", "First."))))

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(memory_of("m1", "Second.")))

    assert folder.records.get("m1").content == "First."


def test_an_operation_is_recorded_once(folder: TableFolder, wire: Wire) -> None:
    operation = operation_of()
    first = creation_of(memory_of("m1"), operation=operation)
    wire.interfere(WRITE, lambda: folder.records.commit(first))
    wire.interfere("PutItem", lambda: folder.records.commit(creation_of(memory_of("m3"))))

    with pytest.raises(OperationTakenError):
        folder.records.commit(creation_of(memory_of("m2"), operation=operation))
    with pytest.raises(OperationTakenError):
        folder.records.record_operation(operation)

    assert folder.records.count("team/a") == 1


def test_an_operation_recorded_at_the_same_time_is_seen(folder: TableFolder, wire: Wire) -> None:
    operation = operation_of()
    wire.interfere("PutItem", lambda: folder.records.record_operation(operation))

    with pytest.raises(OperationTakenError):
        folder.records.record_operation(replace(operation, memory_id="m2"))


def test_a_turn_written_in_between_is_noticed(folder: TableFolder, wire: Wire) -> None:
    first = turn_of("m1", 1)
    folder.records.commit(creation_of(first))
    place = SessionPlace(previous=Neighbour(memory_id="m1", version=1), next=None)
    wire.interfere(WRITE, lambda: folder.records.commit(creation_of(turn_of("m2", 2))))

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(turn_of("m3", 3), place=place))


def test_an_assigned_turn_is_given_once_also_at_once(folder: TableFolder, wire: Wire) -> None:
    place = SessionPlace(is_assigned=True, is_between=False)
    other = creation_of(turn_of("m1", 1), place=place)
    wire.interfere(WRITE, lambda: folder.records.commit(other))

    with pytest.raises(VersionConflictError):
        folder.records.commit(creation_of(turn_of("m2", 1), place=place))


def test_who_takes_any_neighbours_is_not_held_up_by_other_turns(
    folder: TableFolder, wire: Wire
) -> None:
    place = SessionPlace(is_assigned=True, is_between=False)
    wire.interfere(WRITE, lambda: folder.records.commit(creation_of(turn_of("m1", 1))))

    folder.records.commit(creation_of(turn_of("m2", 2), place=place))

    assert folder.records.last_turn("team/a", "s") == 2


def test_a_turn_that_goes_while_it_is_looked_up_is_passed_over(
    folder: TableFolder, wire: Wire
) -> None:
    folder.records.commit(creation_of(turn_of("m1", 1)))
    folder.records.commit(creation_of(turn_of("m2", 2)))
    wire.interfere("GetItem", lambda: folder.records.commit(deletion_of(turn_of("m2", 2))))

    found = folder.records.previous_turn("team/a", "s", 9)

    assert found is not None
    assert found.id == "m1"


def test_scoring_data_written_anew_in_between_are_no_conflict(
    folder: TableFolder, wire: Wire
) -> None:
    follower = turn_of("m2", 2)
    folder.records.commit(creation_of(follower))
    rescoring = Rescoring(scoring=scoring_of(follower, "turn 1"))
    other = creation_of(turn_of("m1", 1), rescorings=(rescoring,))
    wire.interfere(WRITE, lambda: folder.records.commit(other))

    folder.records.commit(update_of(follower, content="Changed."))

    (entry,) = folder.source.read([MemoryRef(namespace="team/a", memory_id="m2")])
    assert (entry.version, entry.index_version) == (2, 3)


def test_a_follower_that_changes_in_between_keeps_what_its_writer_made_of_it(
    folder: TableFolder, wire: Wire
) -> None:
    follower = turn_of("m2", 2)
    folder.records.commit(creation_of(follower))
    rescoring = Rescoring(scoring=scoring_of(follower, "an espresso"))
    wire.interfere(WRITE, lambda: folder.records.commit(update_of(follower, content="Changed.")))

    folder.records.commit(creation_of(turn_of("m1", 1), rescorings=(rescoring,)))

    scoring = folder.records.find_scoring("m2", rescoring.scoring.revision)
    assert scoring is not None
    assert scoring.version == 2
    assert len(scoring.context_terms.keys) == 0
    assert folder.records.get("m1").turn == 1


def test_who_is_overtaken_every_time_is_asked_to_try_again(
    folder: TableFolder, wire: Wire, pauses: list[float]
) -> None:
    wire.refuse("PutItem", "ConditionalCheckFailedException", times=100)

    with pytest.raises(UnavailableError):
        folder.records.record_operation(operation_of())

    assert len(pauses) > 3


def test_two_processes_make_one_signing_secret(
    folder: TableFolder, wire: Wire, clock: FakeClock
) -> None:
    other = open_table(clock, entropy=FakeEntropy(99))
    assert isinstance(other.keys, DynamoKeyStore)
    seen: list[bytes] = []
    wire.interfere("PutItem", lambda: seen.append(other.keys.signing_secret()))

    secret = folder.keys.signing_secret()

    assert seen == [secret]


def test_accesses_counted_at_once_are_both_counted(folder: TableFolder, wire: Wire) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    one, other = (
        Accessed(namespace="team/a", memory_ids=("m1",), session=session, at=NOW)
        for session in ("s", "t")
    )
    wire.interfere("PutItem", lambda: folder.uses.record(other))

    folder.uses.record(one)

    assert folder.uses.get_many("team/a", ["m1"])["m1"].access_count == 2


def test_a_message_that_comes_twice_counts_once(folder: TableFolder, wire: Wire) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    accessed = Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW)
    wire.interfere("PutItem", lambda: folder.uses.record(accessed))

    folder.uses.record(accessed)

    assert folder.uses.get_many("team/a", ["m1"])["m1"].access_count == 1


def test_requests_made_at_once_are_both_counted(
    folder: TableFolder, wire: Wire, clock: FakeClock
) -> None:
    def check() -> None:
        folder.limiter.check("key", RequestKind.WRITE, 2)

    wire.interfere("UpdateItem", check)
    check()

    with pytest.raises(RateLimitedError):
        check()
    clock.advance(seconds=timedelta(minutes=1).total_seconds())
    check()


def test_a_count_is_exact_while_pending_writes_are_taken_over(
    folder: TableFolder, wire: Wire
) -> None:
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"m{i}")))
    pending = folder.pending.of_namespace("team/a", 10).writes
    wire.interfere("GetItem", lambda: folder.pending.clear(pending[:2]))

    assert folder.records.count("team/a") == 3
    assert folder.records.count("team/a") == 3


def test_a_count_that_cannot_be_made_exact_is_not_told(folder: TableFolder, wire: Wire) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    counter = {"pk": {"S": "NS#team/a"}, "sk": {"S": "META"}, "live": {"N": "1"}}
    wire.answer("GetItem", {"Item": counter | {"clears": {"N": "9"}}}, times=100)

    with pytest.raises(UnavailableError):
        folder.records.count("team/a")
