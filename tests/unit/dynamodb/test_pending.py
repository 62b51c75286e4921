"""What `PendingWrites` promises, on a table."""

from datetime import timedelta

from omoide.adapters.exact import ExactMemoryIndex
from omoide.adapters.fake import FakeClock
from omoide.ports.memory_records import Rescoring
from tests.contract.samples import (
    DIMS,
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    scoring_of,
    update_of,
)
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire
from tests.unit.dynamodb.written import index_all, note_more, ref, store


def test_every_write_is_pending_until_it_is_cleared(folder: TableFolder, clock: FakeClock) -> None:
    store(folder, clock, "m1", "m2", "m3")

    newest = folder.pending.of_namespace("team/a", 2)
    everything = folder.pending.of_namespace("team/a", 3)

    assert [one.memory.memory_id for one in newest.writes] == ["m3", "m2"]
    assert not newest.is_complete
    assert everything.is_complete
    assert everything.writes[0].written_at == clock.now()
    assert folder.pending.of_namespace("team/b", 3).writes == ()

    folder.pending.clear(newest.writes)

    assert [one.memory for one in folder.pending.of_namespace("team/a", 9).writes] == [ref("m1")]
    assert [one.memory for one in folder.pending.find([ref("m1"), ref("m2")])] == [ref("m1")]


def test_a_write_after_the_index_looked_stays_pending(
    folder: TableFolder, clock: FakeClock
) -> None:
    (memory,) = store(folder, clock, "m1")
    seen = folder.pending.of_namespace("team/a", 9).writes
    folder.records.commit(update_of(memory))

    folder.pending.clear(seen)

    (left,) = folder.pending.of_namespace("team/a", 9).writes
    assert left.version == 2
    assert folder.records.count("team/a") == 1


def test_a_write_while_others_are_cleared_holds_up_none_of_them(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    memories = store(folder, clock, "m1", "m2", "m3")
    seen = folder.pending.of_namespace("team/a", 9).writes
    wire.interfere("TransactWriteItems", lambda: folder.records.commit(update_of(memories[1])))

    folder.pending.clear(seen)

    assert [one.memory for one in folder.pending.of_namespace("team/a", 9).writes] == [ref("m2")]
    assert folder.records.count("team/a") == 3


def test_new_scoring_data_of_a_follower_are_pending_too(
    folder: TableFolder, clock: FakeClock
) -> None:
    (follower,) = store(folder, clock, "m2")
    index_all(folder)
    rescoring = Rescoring(scoring=scoring_of(follower, "before"))

    folder.records.commit(creation_of(memory_of("m1"), rescorings=(rescoring,)))

    pending = folder.pending.of_namespace("team/a", 9).writes
    assert {one.memory.memory_id: one.version for one in pending} == {"m1": 1, "m2": 1}
    assert folder.records.count("team/a") == 2


def test_the_count_is_exact_through_create_update_and_delete_before_and_after_indexing(
    folder: TableFolder, clock: FakeClock
) -> None:
    counts: list[int] = []
    first, second = store(folder, clock, "m1", "m2")
    counts.append(folder.records.count("team/a"))
    folder.records.commit(deletion_of(first))
    counts.append(folder.records.count("team/a"))
    index_all(folder)
    counts.append(folder.records.count("team/a"))
    folder.records.commit(update_of(second))
    folder.records.commit(deletion_of(folder.records.get("m2")))
    counts.append(folder.records.count("team/a"))
    index_all(folder)
    counts.append(folder.records.count("team/a"))

    assert counts == [2, 1, 1, 0, 0]


def test_many_are_cleared_in_transactions_of_at_most_a_hundred_items(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    store(folder, clock, "m1")
    note_more(wire, 119)

    index_all(folder)

    sizes = [len(request["TransactItems"]) for request in wire.of("TransactWriteItems")]
    assert sizes == [100, 22]
    assert folder.records.count("team/a") == 120
    assert folder.pending.of_namespace("team/a", 1).writes == ()


def test_however_many_are_pending_a_search_looks_at_a_bounded_number(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    store(folder, clock, "m1")
    note_more(wire, 40)

    first = folder.pending.of_namespace("team/a", 2)
    more = folder.pending.of_namespace("team/a", 3)

    assert (len(first.writes), first.is_complete, first.is_newest) == (2, False, False)
    assert (len(more.writes), more.is_complete, more.is_newest) == (3, False, True)
    assert [request["Limit"] for request in wire.of("Query")] == [41, 61]


def test_a_search_without_index_misses_no_write_among_too_many_pending_ones(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    index = ExactMemoryIndex(
        pending=folder.pending,
        source=folder.source,
        revision=REVISION,
        dims=DIMS,
        clock=clock,
        max_writes=1,
    )
    (memory,) = store(folder, clock, "m1")
    note_more(wire, 30)
    clock.advance(minutes=10)
    index.nominate(request_of("tea"))
    clock.advance(minutes=1)
    folder.records.commit(update_of(memory, content="An espresso."))

    pool = index.nominate(request_of("espresso", vector=None, neighbours=False))

    assert pool.ids == ["m1"]


def test_overdue_writes_of_all_namespaces_come_oldest_first(
    folder: TableFolder, clock: FakeClock
) -> None:
    store(folder, clock, "m3", "m1")
    folder.records.commit(creation_of(memory_of("m2", namespace="team/b")))
    before = clock.advance(seconds=1)
    store(folder, clock, "late")

    overdue = folder.pending.overdue(before, 10)

    assert [one.memory for one in overdue] == [ref("m3"), ref("m1"), ref("m2", "team/b")]
    assert [one.memory for one in folder.pending.overdue(before, 1)] == [ref("m3")]


def test_what_is_set_aside_is_overdue_no_more_until_it_is_written_again(
    folder: TableFolder, clock: FakeClock
) -> None:
    (memory,) = store(folder, clock, "m1")
    pending = folder.pending.of_namespace("team/a", 9).writes
    later = clock.now() + timedelta(hours=1)

    folder.pending.set_aside(pending)

    assert folder.pending.overdue(later, 10) == []
    assert folder.pending.of_namespace("team/a", 9).writes == pending
    folder.records.commit(update_of(memory))
    folder.pending.set_aside(pending)
    assert [one.version for one in folder.pending.overdue(later, 10)] == [2]


def test_what_a_deletion_left_is_erased_when_the_index_has_taken_it(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    (memory,) = store(folder, clock, "m1")
    folder.records.commit(update_of(memory, content="A secret."))
    wire.refuse("Query", "ThrottlingException", times=6)
    folder.records.commit(deletion_of(folder.records.get("m1")))
    left = [item for item in wire.items() if item["sk"]["S"].startswith("HIST#")]

    index_all(folder)

    assert len(left) == 1
    assert not [item for item in wire.items() if item["sk"]["S"].startswith("HIST#")]
    assert "secret" not in str(wire.items())
