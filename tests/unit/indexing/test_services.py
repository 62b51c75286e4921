"""Indexing follows the records: whatever is lost, late, poisoned or down, it comes right again."""

import pytest

from omoide.domain.errors import UnavailableError
from omoide.ports.memory_records import MemoryChange, Rescoring
from omoide.ports.pending_writes import MemoryRef
from omoide.services.reindex import Reindex
from tests.contract.samples import creation_of, deletion_of, memory_of, scoring_of, update_of
from tests.unit.indexing.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_what_the_record_says_now_is_indexed_whatever_the_hint_was(desk: Desk) -> None:
    memory = memory_of("m1")
    desk.commit(creation_of(memory), update_of(memory, content="Kenji likes coffee."))

    desk.index("m1", "m1", "unknown")

    assert desk.indexed == {"m1": 2}
    assert desk.pending == set()


def test_a_deleted_memory_leaves_the_index(desk: Desk) -> None:
    memory = memory_of("m1")
    desk.commit(creation_of(memory))
    desk.index("m1")
    desk.commit(deletion_of(memory))

    desk.index("m1")

    assert desk.indexed == {}
    assert desk.pending == set()


def test_a_write_that_comes_in_between_stays_pending(desk: Desk) -> None:
    memory = memory_of("m1")
    desk.commit(creation_of(memory))
    seen = desk.folder.pending.find([MemoryRef(namespace="team/a", memory_id="m1")])
    desk.commit(update_of(memory, importance=0.9))

    desk.index_pending(seen)

    assert desk.indexed == {"m1": 2}
    assert desk.pending == {"m1"}


def test_new_scoring_data_of_an_unchanged_record_is_indexed(desk: Desk) -> None:
    first, second = memory_of("m1", session_id="s", turn=1), memory_of("m2", session_id="s", turn=2)
    desk.commit(creation_of(first), creation_of(second))
    desk.index("m1", "m2")
    before = desk.folder.writer.entries[MemoryRef(namespace="team/a", memory_id="m2")]
    rescoring = Rescoring(scoring=scoring_of(second, previous="Something else."))
    change = update_of(first, content="Something else.")
    desk.commit(
        MemoryChange(
            memory=change.memory,
            expected_version=1,
            scoring=change.scoring,
            rescorings=(rescoring,),
        )
    )

    desk.index("m2")

    after = desk.folder.writer.entries[before.memory]
    assert after.version == before.version
    assert after.index_version > before.index_version
    assert after.scoring != before.scoring


def test_what_the_stream_has_lost_is_indexed_after_a_minute(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")))
    desk.clock.advance(seconds=59)
    early = desk.redrive()
    desk.clock.advance(seconds=2)

    late = desk.redrive()

    assert (early, late) == (0, 1)
    assert desk.indexed == {"m1": 1}
    assert desk.pending == set()


def test_a_redrive_goes_on_where_the_last_one_stopped(desk: Desk) -> None:
    desk.commit(*(creation_of(memory_of(f"m{i}")) for i in range(7)))
    desk.clock.advance(minutes=2)

    counts = [desk.redrive(batch=2, max_batches=2) for _ in range(3)]

    assert counts == [4, 3, 0]
    assert len(desk.indexed) == 7


def test_nothing_is_cleared_while_the_index_is_down(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")))
    desk.folder.writer.is_down = True

    with pytest.raises(UnavailableError):
        desk.index("m1")

    assert desk.pending == {"m1"}


def test_an_index_built_anew_has_every_memory_and_nothing_deleted(desk: Desk) -> None:
    memories = [memory_of(f"m{i}") for i in range(10)]
    desk.commit(*map(creation_of, memories), deletion_of(memories[3]))

    done = Reindex(source=desk.folder.source, builder=desk.folder.builder, page=4)()

    assert (done.count, done.fault_count, done.is_complete) == (9, 0, True)
    assert set(desk.indexed) == {f"m{i}" for i in range(10)} - {"m3"}


def test_writes_during_a_build_win_over_what_the_build_read(desk: Desk) -> None:
    memories = [memory_of(f"m{i}") for i in range(6)]
    desk.commit(*map(creation_of, memories))
    desk.index(*(memory.id for memory in memories))
    stale = desk.folder.source.page(None, 10)

    def write_meanwhile(count: int) -> bool:
        if count == 2:
            desk.commit(update_of(memories[0], importance=0.9), deletion_of(memories[1]))
            desk.commit(creation_of(memory_of("m9")))
            desk.index("m0", "m1", "m9")
            desk.folder.builder.add(stale.entries)
        return True

    Reindex(source=desk.folder.source, builder=desk.folder.builder, page=2)(on_page=write_meanwhile)

    assert desk.indexed == {"m0": 2, "m2": 1, "m3": 1, "m4": 1, "m5": 1, "m9": 1}


def test_an_interrupted_build_goes_on_and_can_begin_anew(desk: Desk) -> None:
    desk.commit(*(creation_of(memory_of(f"m{i}")) for i in range(6)))
    reindex = Reindex(source=desk.folder.source, builder=desk.folder.builder, page=2)

    stopped = reindex(on_page=lambda count: False)
    resumed = reindex(on_page=lambda count: count < 2)
    begun_anew = reindex(anew=True)

    assert (stopped.count, stopped.is_complete) == (2, False)
    assert (resumed.count, resumed.is_complete) == (2, False)
    assert (begun_anew.count, begun_anew.is_complete) == (6, True)
    assert len(desk.indexed) == 6


def test_a_build_counts_what_cannot_be_indexed(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")), creation_of(memory_of("m2")))
    desk.folder.followed.damaged.add("m1")

    done = Reindex(source=desk.folder.source, builder=desk.folder.builder)()

    assert (done.count, done.fault_count) == (2, 1)
    assert set(desk.indexed) == {"m2"}
