"""Indexing follows the records: whatever is lost, late, poisoned or down, it comes right again."""

from collections.abc import Sequence

import pytest

from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.following import FollowedFolder
from omoide.adapters.fake.indexing import FakeDeadLetters
from omoide.domain.errors import UnavailableError
from omoide.ports.dead_letters import DeadLetter
from omoide.ports.index_writer import Unindexable
from omoide.ports.memory_records import MemoryChange, Rescoring
from omoide.ports.pending_writes import MemoryRef
from omoide.services.index_memories import IndexMemories
from omoide.services.indexing import IndexPending
from omoide.services.redrive_dead_letters import RedriveDeadLetters
from omoide.services.redrive_pending import RedrivePending
from omoide.services.reindex import Reindex
from tests.contract.samples import NOW, creation_of, deletion_of, memory_of, scoring_of, update_of


class NeverHiding(FakeDeadLetters):
    """A queue whose messages come again at once."""

    def take(self, limit: int) -> list[DeadLetter]:
        found = super().take(limit)
        self.show_again()
        return found


class FullMailbox(FakeDeadLetters):
    """A queue that cannot be reached until it is."""

    is_down = True

    def send(self, faults: Sequence[Unindexable]) -> None:
        if self.is_down:
            raise UnavailableError("the queue cannot be reached")
        super().send(faults)


class Desk:
    """A folder and the services that index it."""

    def __init__(self) -> None:
        self.clock = FakeClock(NOW)
        self.folder = FollowedFolder(clock=self.clock)
        self.index_pending = IndexPending(
            pending=self.folder.pending, source=self.folder.source, writer=self.folder.writer
        )

    def commit(self, *changes: MemoryChange) -> None:
        for change in changes:
            self.folder.records.commit(change)

    def index(self, *memory_ids: str) -> None:
        service = IndexMemories(
            pending=self.folder.pending,
            index_pending=self.index_pending,
            dead_letters=self.folder.dead_letters,
        )
        service([MemoryRef(namespace="team/a", memory_id=i) for i in memory_ids])

    def redrive(self, batch: int = 500, max_batches: int = 20) -> int:
        return RedrivePending(
            pending=self.folder.pending,
            index_pending=self.index_pending,
            dead_letters=self.folder.dead_letters,
            clock=self.clock,
            batch=batch,
            max_batches=max_batches,
        )()

    @property
    def pending(self) -> set[str]:
        return {ref.memory_id for ref in self.folder.followed.pending}

    @property
    def indexed(self) -> dict[str, int]:
        return self.folder.writer.indexed


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


def test_a_poisoned_memory_of_which_nobody_could_be_told_comes_again(desk: Desk) -> None:
    mailbox = desk.folder.dead_letters = FullMailbox()
    desk.commit(creation_of(memory_of("m0")), creation_of(memory_of("m1")))
    desk.folder.followed.damaged.add("m1")
    with pytest.raises(UnavailableError):
        desk.index("m0", "m1")
    desk.clock.advance(minutes=2)
    with pytest.raises(UnavailableError):
        desk.redrive()

    mailbox.is_down = False
    desk.redrive()
    desk.redrive()

    assert set(desk.indexed) == {"m0"}
    assert [fault.memory.memory_id for fault in mailbox.faults] == ["m1"]


def test_a_poisoned_memory_ends_as_a_letter_and_the_others_go_on(desk: Desk) -> None:
    desk.commit(*(creation_of(memory_of(f"m{i}")) for i in range(3)))
    desk.folder.followed.damaged.add("m1")

    desk.index("m0", "m1", "m2")

    assert set(desk.indexed) == {"m0", "m2"}
    assert [fault.memory.memory_id for fault in desk.folder.dead_letters.faults] == ["m1"]
    assert "Hanako" not in desk.folder.dead_letters.faults[0].reason
    assert desk.pending == {"m1"}


def test_a_poisoned_memory_is_not_tried_every_minute(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")))
    desk.folder.followed.damaged.add("m1")
    desk.index("m1")
    desk.clock.advance(minutes=5)

    assert desk.redrive() == 0
    assert len(desk.folder.dead_letters.faults) == 1


def test_letters_are_removed_once_their_cause_is(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")), creation_of(memory_of("m2")))
    desk.folder.followed.damaged.update({"m1", "m2"})
    desk.index("m1", "m2")
    redrive = RedriveDeadLetters(
        pending=desk.folder.pending,
        index_pending=desk.index_pending,
        dead_letters=desk.folder.dead_letters,
    )
    desk.folder.followed.damaged.remove("m1")

    first = redrive()
    desk.folder.dead_letters.show_again()
    desk.folder.followed.damaged.clear()
    second = redrive()

    assert (first.mended_count, [f.memory.memory_id for f in first.faults]) == (1, ["m2"])
    assert (second.mended_count, second.faults) == (1, ())
    assert set(desk.indexed) == {"m1", "m2"}
    assert desk.folder.dead_letters.faults == []


def test_letters_that_come_again_at_once_do_not_go_round_for_ever(desk: Desk) -> None:
    desk.commit(creation_of(memory_of("m1")))
    desk.folder.followed.damaged.add("m1")
    letters = desk.folder.dead_letters = NeverHiding()
    desk.index("m1")
    redriven = RedriveDeadLetters(
        pending=desk.folder.pending, index_pending=desk.index_pending, dead_letters=letters
    )()

    assert redriven.mended_count == 0
    assert len(redriven.faults) == 1


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
