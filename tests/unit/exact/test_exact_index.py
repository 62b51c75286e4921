"""Exact search keeps up with the records, whoever writes them."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.adapters.exact import ExactMemoryIndex, KeptWrites, NoIndexWriter
from omoide.adapters.exact.index import TRUSTED
from omoide.adapters.exact.kept_writes import KEPT
from omoide.domain.errors import UnavailableError
from omoide.domain.memory import Memory
from omoide.ports.pending_writes import MemoryRef
from omoide.services.indexing import IndexPending
from omoide.services.redrive_pending import RedrivePending
from tests.contract.samples import (
    EVERYTHING,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)
from tests.contract.test_index_equality import assert_same_facts
from tests.unit.exact.exact_folder import ExactFolder

WORDS = ("tea", "car", "sky", "shoe")
steps = st.lists(
    st.tuples(
        st.sampled_from(["store", "store", "update", "delete", "search", "wait", "forget"]),
        st.integers(0, 50),
    ),
    min_size=5,
    max_size=60,
)


def ids_of(index: ExactMemoryIndex, text: str = "tea") -> set[str]:
    return set(index.nominate(request_of(text, where=EVERYTHING)).ids)


def forget(folder: ExactFolder) -> int:
    """What the clock does each minute where there is no index."""
    kept = KeptWrites(folder.pending, folder.clock)
    index_pending = IndexPending(pending=kept, source=folder.source, writer=NoIndexWriter())
    return RedrivePending(
        pending=kept,
        index_pending=index_pending,
        dead_letters=folder.dead_letters,
        clock=folder.clock,
    )()


def test_a_write_of_another_instance_is_seen_by_the_next_search() -> None:
    folder = ExactFolder()
    first, second = folder.another(), folder.another()
    memory = memory_of("m1", "tea")
    seen: list[tuple[set[str], set[str]]] = []

    for change in (
        creation_of(memory),
        update_of(memory, content="tea and milk"),
        deletion_of(memory_of("m1", "tea", version=2)),
    ):
        folder.records.commit(change)
        seen.append((ids_of(first), ids_of(second)))

    assert seen == [({"m1"}, {"m1"}), ({"m1"}, {"m1"}), (set(), set())]


def test_only_what_was_written_since_is_read() -> None:
    folder = ExactFolder()
    for i in range(20):
        folder.records.commit(creation_of(memory_of(f"m{i}", "tea")))
    index = folder.another()
    ids_of(index)
    read: list[int] = []
    reading = folder.source.read

    def counted(memories: Any) -> Any:
        read.append(len(memories))
        return reading(memories)

    folder.source.read = counted
    ids_of(index)
    folder.records.commit(creation_of(memory_of("m20", "tea")))
    folder.records.commit(deletion_of(memory_of("m3", "tea")))

    assert "m20" in ids_of(index)
    assert read == [2]


def test_writes_stay_pending_until_no_instance_needs_them() -> None:
    folder = ExactFolder()
    folder.records.commit(creation_of(memory_of("m1", "tea")))

    folder.clock.set(folder.clock.now() + KEPT)
    early = forget(folder)
    folder.clock.advance(seconds=1)
    late = forget(folder)

    assert (early, late) == (0, 1)
    assert folder.followed.pending == {}
    assert TRUSTED + timedelta(minutes=5) < KEPT


def test_an_instance_that_slept_reads_everything_anew() -> None:
    folder = ExactFolder()
    memories = [memory_of(f"m{i}", "tea") for i in range(3)]
    for memory in memories:
        folder.records.commit(creation_of(memory))
    index = folder.another()
    ids_of(index)
    folder.records.commit(deletion_of(memories[0]))
    folder.records.commit(creation_of(memory_of("m9", "tea")))
    folder.clock.set(folder.clock.now() + KEPT + timedelta(seconds=1))
    forget(folder)

    assert folder.followed.pending == {}
    assert ids_of(index) == {"m1", "m2", "m9"}


def test_more_writes_than_are_taken_one_by_one_are_read_anew() -> None:
    folder = ExactFolder(max_writes=5)
    index = folder.another()
    ids_of(index)
    for i in range(12):
        folder.records.commit(creation_of(memory_of(f"m{i:02}", "tea")))

    assert ids_of(index) == {f"m{i:02}" for i in range(12)}


def test_of_a_namespace_that_is_too_large_the_newest_are_searched_and_that_is_told() -> None:
    folder = ExactFolder(max_memories=4)
    for i in range(6):
        folder.records.commit(creation_of(memory_of(f"m{i}", "tea")))

    pool = folder.exact.nominate(request_of("tea"))

    assert set(pool.ids) == {"m2", "m3", "m4", "m5"}
    assert not pool.is_complete


def test_a_memory_that_cannot_be_read_is_told_until_it_can() -> None:
    folder = ExactFolder()
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"m{i}", "tea")))
    folder.followed.damaged.add("m1")

    damaged = folder.exact.nominate(request_of("tea"))
    folder.followed.damaged.clear()
    folder.records.write_again("m1")
    mended = folder.exact.nominate(request_of("tea"))

    assert (set(damaged.ids), damaged.is_complete) == ({"m0", "m2"}, False)
    assert (set(mended.ids), mended.is_complete) == ({"m0", "m1", "m2"}, True)


def test_namespaces_beyond_the_budget_are_let_go() -> None:
    folder = ExactFolder(memory_budget_bytes=1)
    for namespace in ("team/a", "team/b"):
        folder.records.commit(creation_of(memory_of(namespace[-1], "tea", namespace=namespace)))

    found = [
        folder.exact.nominate(request_of("tea", namespace=namespace)).ids
        for namespace in ("team/a", "team/b", "team/a")
    ]

    assert found == [["a"], ["b"], ["a"]]
    assert folder.exact.view_count == 1


def test_a_namespace_that_was_mostly_rewritten_is_read_anew() -> None:
    folder = ExactFolder()
    memory = memory_of("m1", "tea")
    folder.records.commit(creation_of(memory))
    reads: list[int] = []
    newest = folder.source.newest

    def counted(namespace: str, limit: int, before: MemoryRef | None = None) -> list[MemoryRef]:
        reads.append(limit)
        return newest(namespace, limit, before)

    folder.source.newest = counted
    for _ in range(1_030):
        change = update_of(memory)
        folder.records.commit(change)
        memory = change.memory
        assert folder.exact.nominate(request_of("tea", vector=None)).ids == ["m1"]

    assert len(reads) == 2


def test_records_that_cannot_be_read_are_told() -> None:
    folder = ExactFolder()
    folder.is_down = True

    with pytest.raises(UnavailableError):
        folder.exact.nominate(request_of("tea"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(steps)
def test_two_instances_equal_naive_arithmetic(script: list[tuple[str, int]]) -> None:
    folder = ExactFolder()
    instances = [folder.another(), folder.another()]
    live: list[Memory] = []
    for count, (step, number) in enumerate(script):
        if step == "store":
            text = " ".join(WORDS[(number + i) % 4] for i in range(1 + number % 3))
            memory = memory_of(f"m{count:03}", text, session_id="s", turn=number)
            folder.records.commit(creation_of(memory))
            live.append(memory)
        elif step == "update" and live:
            change = update_of(live.pop(number % len(live)), content=WORDS[number % 4])
            folder.records.commit(change)
            live.append(change.memory)
        elif step == "delete" and live:
            folder.records.commit(deletion_of(live.pop(number % len(live))))
        elif step == "search":
            instances[number % 2].nominate(request_of("tea"))
        elif step == "wait":
            folder.clock.advance(minutes=number)
        elif step == "forget":
            forget(folder)
    request = request_of("tea sky", where=EVERYTHING)
    expected = folder.naive.nominate(request)

    for instance in instances:
        assert_same_facts(expected, instance.nominate(request))


def test_a_namespace_is_read_a_page_at_a_time() -> None:
    folder = ExactFolder()
    for i in range(2_300):
        folder.records.commit(creation_of(memory_of(f"m{i:04}", "tea")))
    index = folder.another()
    read: list[int] = []
    reading = folder.source.read

    def counted(memories: Any) -> Any:
        read.append(len(memories))
        return reading(memories)

    folder.source.read = counted
    ids_of(index)

    assert sum(read) >= 2_300
    assert max(read) <= 1_000
