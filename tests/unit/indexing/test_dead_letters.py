"""What cannot be indexed ends as a letter, is tried again, and holds up nobody."""

from collections.abc import Sequence

import pytest

from omoide.adapters.fake.indexing import FakeDeadLetters
from omoide.domain.errors import UnavailableError
from omoide.ports.dead_letters import DeadLetter
from omoide.ports.index_writer import Unindexable
from omoide.services.redrive_dead_letters import RedriveDeadLetters
from tests.contract.samples import creation_of, memory_of
from tests.unit.indexing.desk import Desk


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


@pytest.fixture
def desk() -> Desk:
    return Desk()


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
