"""Writers at the same time: nothing doubled, nothing lost."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any, TypeVar

import pytest

from omoide.adapters.fake.records import FakeMemoryRecords
from omoide.adapters.fake.state import FolderState
from omoide.domain.errors import OmoideError, UnavailableError, VersionConflictError
from omoide.ports.memory_records import MemoryChange
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import Dedupe, NewMemory, Outcome, Stored
from tests.service.scored import assert_encoded_after
from tests.service.write_desk import LOCAL, WriteDesk

T = TypeVar("T")
WRITERS = 8


def at_once(calls: list[Callable[[], T]]) -> list[T]:
    barrier = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_the_same_text_from_many_writers_is_one_memory(desk: WriteDesk) -> None:
    new = NewMemory(content="Hanako likes tea.")

    answers = at_once([lambda: desk.store(LOCAL, new)] * WRITERS)

    assert len({a.view.memory.id for a in answers}) == 1
    outcomes = [a.outcome for a in answers]
    assert outcomes.count(Outcome.CREATED) == 1
    assert outcomes.count(Outcome.DUPLICATE) == WRITERS - 1


def test_the_same_call_from_many_writers_is_made_once(desk: WriteDesk) -> None:
    new = NewMemory(content="Hanako likes tea.", dedupe=Dedupe.OFF)

    answers = at_once([lambda: desk.store(LOCAL, new, operation_id="op")] * WRITERS)

    assert len({a.view.memory.id for a in answers}) == 1
    assert {a.outcome for a in answers} == {Outcome.CREATED}
    assert desk.count(LOCAL, None).count == 1


def test_turns_of_writers_of_one_session_are_all_different(desk: WriteDesk) -> None:
    def say(n: int) -> Callable[[], int | None]:
        new = NewMemory(content=f"turn {n}", session_id="s")
        return lambda: desk.store(LOCAL, new).view.memory.turn

    turns = at_once([say(n) for n in range(WRITERS)])

    assert sorted(turns, key=str) == list(range(WRITERS))


def test_turns_written_at_once_have_the_right_context(desk: WriteDesk) -> None:
    def say(n: int) -> Callable[[], Stored]:
        new = NewMemory(content=f"word{n}", session_id="s", turn=n)
        return lambda: desk.store(LOCAL, new)

    answers = at_once([say(n) for n in range(WRITERS)])

    for n in range(1, WRITERS):
        memory = answers[n].view.memory
        assert_encoded_after(desk, memory, f"word{n}", f"word{n - 1}")


def test_changes_of_many_writers_are_all_kept(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.")
    patches = [
        MemoryPatch(pinned=True),
        MemoryPatch(tags=("a",)),
        MemoryPatch(importance=0.9),
        MemoryPatch(summary="tea"),
        MemoryPatch(mood="calm"),
    ]

    def change(patch: MemoryPatch) -> Callable[[], object]:
        return lambda: desk.update(LOCAL, memory.id, patch)

    at_once([change(patch) for patch in patches])

    now = desk.get(LOCAL, memory.id).memory
    assert (now.pinned, now.tags, now.importance) == (True, ("a",), 0.9)
    assert (now.summary, now.mood, now.version) == ("tea", "calm", 6)


def test_of_writers_that_saw_the_same_version_one_wins(desk: WriteDesk) -> None:
    memory = desk.say("zero")

    def change(n: int) -> Callable[[], OmoideError | None]:
        def run() -> OmoideError | None:
            try:
                desk.update(LOCAL, memory.id, MemoryPatch(content=f"{n}"), expected_version=1)
            except VersionConflictError as error:
                return error
            return None

        return run

    answers = at_once([change(n) for n in range(WRITERS)])

    assert answers.count(None) == 1
    assert desk.get(LOCAL, memory.id).memory.version == 2


def test_batches_of_the_same_texts_make_each_text_one_memory(desk: WriteDesk) -> None:
    items = [NewMemory(content=f"fact {n}") for n in range(20)]

    batches = at_once([lambda: desk.store_many(LOCAL, items)] * WRITERS)

    ids = [[a.view.memory.id for a in batch if isinstance(a, Stored)] for batch in batches]
    assert all(one == ids[0] and len(one) == 20 for one in ids)
    assert desk.count(LOCAL, None).count == 20


class CrowdedRecords(FakeMemoryRecords):
    """The first commit loses a race against a neighbour, not against the record itself."""

    has_lost = False

    def commit(self, change: MemoryChange) -> None:
        if change.expected_version is not None and change.place and not self.has_lost:
            self.has_lost = True
            raise VersionConflictError
        super().commit(change)


@pytest.mark.parametrize("patch", [MemoryPatch(pinned=True), MemoryPatch(content="new")])
def test_a_neighbour_in_the_session_is_no_other_version(
    fake_desk: WriteDesk, patch: MemoryPatch
) -> None:
    records = CrowdedRecords(FolderState(clock=fake_desk.clock))
    ports: dict[str, Any] = {"records": records, "lookups": records}
    store, update = replace(fake_desk.store, **ports), replace(fake_desk.update, **ports)
    memory_id = store(LOCAL, NewMemory(content="one", session_id="s")).view.memory.id

    changed = update(LOCAL, memory_id, patch, expected_version=1)

    assert changed.memory.version == 2


def test_a_change_that_encodes_nothing_does_not_look_at_neighbours(desk: WriteDesk) -> None:
    memory = desk.say("one", session_id="s")
    records = desk.folder.records

    class Interrupted(FakeMemoryRecords):
        def __init__(self) -> None:
            pass

        def commit(self, change: MemoryChange) -> None:
            desk.say("a later turn by somebody else", session_id="s")
            records.commit(change)

        def __getattribute__(self, name: str) -> Any:
            own = name == "commit"
            return object.__getattribute__(self, name) if own else getattr(records, name)

    update = replace(desk.update, records=Interrupted())
    changed = update(LOCAL, memory.id, MemoryPatch(pinned=True), expected_version=1)

    assert changed.memory.version == 2
    assert desk.count(LOCAL, None).count == 2


class ContestedRecords(FakeMemoryRecords):
    """Somebody always gets between the neighbours and the commit."""

    def commit(self, change: MemoryChange) -> None:
        if change.place is not None and change.place.is_between:
            raise VersionConflictError
        super().commit(change)


def test_a_session_that_never_rests_still_takes_a_store(fake_desk: WriteDesk) -> None:
    records = ContestedRecords(FolderState(clock=fake_desk.clock))
    store = replace(fake_desk.store, records=records, lookups=records)

    stored = store(LOCAL, NewMemory(content="one", session_id="s"))

    assert stored.outcome is Outcome.CREATED
    assert records.get(stored.view.memory.id).turn == 0


class TakenRecords(FakeMemoryRecords):
    """Somebody always commits first."""

    is_taken = False

    def commit(self, change: MemoryChange) -> None:
        if self.is_taken:
            raise VersionConflictError
        super().commit(change)


def test_a_writer_that_always_loses_is_told_to_try_again(fake_desk: WriteDesk) -> None:
    records = TakenRecords(FolderState(clock=fake_desk.clock))
    ports: dict[str, Any] = {"records": records, "lookups": records}
    store = replace(fake_desk.store, **ports)
    memory_id = store(LOCAL, NewMemory(content="one")).view.memory.id
    records.is_taken = True

    with pytest.raises(UnavailableError):
        store(LOCAL, NewMemory(content="two"))
    with pytest.raises(UnavailableError):
        replace(fake_desk.update, **ports)(LOCAL, memory_id, MemoryPatch(pinned=True))
    with pytest.raises(UnavailableError):
        replace(fake_desk.delete, **ports)(LOCAL, memory_id)


class CountingRecords(FakeMemoryRecords):
    """Notes how many memories each commit held, and loses the first ones."""

    def __init__(self, state: FolderState, losses: int = 0) -> None:
        super().__init__(state)
        self.commits: list[int] = []
        self.left = losses

    def commit(self, change: MemoryChange) -> None:
        self.commits.append(1)
        super().commit(change)

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        self.commits.append(len(changes))
        if self.left:
            self.left -= 1
            raise VersionConflictError
        for change in changes:
            super().commit(change)


@pytest.mark.parametrize(("losses", "commits"), [(0, [20]), (1, [20, *[1] * 20])])
def test_a_batch_is_one_commit_unless_somebody_was_faster(
    losses: int, commits: list[int], fake_desk: WriteDesk
) -> None:
    records = CountingRecords(FolderState(clock=fake_desk.clock), losses)
    ports: dict[str, Any] = {"records": records, "lookups": records}

    answers = replace(fake_desk.store_many, **ports)(
        LOCAL, [NewMemory(content=f"fact {n}") for n in range(20)]
    )

    assert all(isinstance(answer, Stored) for answer in answers)
    assert records.commits == commits
