"""The memory that the index of many namespaces takes in one process."""

import gc
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from omoide.adapters.embedded import EmbeddedFolder, index, view_room
from omoide.adapters.embedded.views import SegmentView
from omoide.domain.memory import Memory
from tests.contract.samples import creation_of, deletion_of, memory_of, request_of
from tests.integration.embedded.processes import finish_threads, opened

NAMESPACES = 40


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def held_bytes(path: Path, budget: int, count: int = NAMESPACES) -> int:
    """Memory held after each namespace was searched once, what the first one needs apart."""
    with opened(path, memory_budget_bytes=budget) as folder:
        folder.index.parts("team/0")
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for i in range(1, count):
            assert folder.index.parts(f"team/{i}")
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before


def small(namespace: int) -> list[Memory]:
    return [memory_of(f"m{namespace}", namespace=f"team/{namespace}")]


def with_names(namespace: int) -> list[Memory]:
    """Memories that say more in names than in text."""
    return [
        memory_of(
            f"m{namespace}-{i}",
            "Tea.",
            namespace=f"team/{namespace}",
            session_id=f"session {namespace} {i}".ljust(200, "x"),
            speaker=f"speaker {namespace} {i}".ljust(200, "x"),
        )
        for i in range(10)
    ]


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("memories_of", [small, with_names])
def test_many_views_of_tails_stay_within_the_budget(
    memories_of: Callable[[int], list[Memory]], tmp_path: Path
) -> None:
    with opened(tmp_path) as folder:
        for i in range(NAMESPACES):
            folder.records.commit_all([creation_of(m) for m in memories_of(i)])

    unbounded = held_bytes(tmp_path, 1 << 30)

    assert held_bytes(tmp_path, unbounded // 2) < 0.75 * unbounded
    assert held_bytes(tmp_path, unbounded * 2) > 0.9 * unbounded


@pytest.mark.usefixtures("traced")
def test_many_views_of_files_stay_within_the_budget(tmp_path: Path) -> None:
    memories = [
        [memory_of(f"m{n}-{i}", namespace=f"team/{n}") for i in range(8)] for n in range(20)
    ]
    with opened(tmp_path, segment_rows=4) as folder:
        for some in memories:
            folder.records.commit_all([creation_of(m) for m in some])
        for nid in range(1, 21):
            while folder.maintenance.run(nid):
                continue
        for some in memories:
            folder.records.commit(deletion_of(some[0]))

    unbounded = held_bytes(tmp_path, 1 << 30, 20)

    assert held_bytes(tmp_path, unbounded // 2, 20) < 0.75 * unbounded
    assert held_bytes(tmp_path, unbounded * 2, 20) > 0.9 * unbounded


def test_what_was_forgotten_is_read_again(tmp_path: Path) -> None:
    with opened(tmp_path, memory_budget_bytes=1) as folder:
        for i in range(5):
            folder.records.commit(creation_of(memory_of(f"m{i}", namespace=f"team/{i}")))
        for _ in range(2):
            for i in range(5):
                pool = folder.index.nominate(request_of("tea", namespace=f"team/{i}"))
                assert pool.ids == [f"m{i}"]


def stored(folder: EmbeddedFolder, namespace: str, count: int) -> None:
    memories = [memory_of(f"{namespace}-{i}", namespace=namespace) for i in range(count)]
    folder.records.commit_all([creation_of(memory) for memory in memories])


def files_of(path: Path) -> list[Path]:
    return list((path / "segments").glob("*.seg"))


def test_what_does_not_stay_in_memory_and_is_read_again_becomes_a_file(tmp_path: Path) -> None:
    names = ("team/a", "team/b", "team/few")
    with opened(tmp_path, memory_budget_bytes=1, segment_rows=2_048) as folder:
        for name, count in zip(names, (300, 300, 100), strict=True):
            stored(folder, name, count)
        for name in names:
            folder.index.parts(name)
        finish_threads(threading.Thread, "omoide-maintenance")
        assert files_of(tmp_path) == []

        for name in names:
            folder.index.parts(name)
        finish_threads(threading.Thread, "omoide-maintenance")

        assert len(files_of(tmp_path)) == 2
        for name, count in zip(names, (300, 300, 100), strict=True):
            pool = folder.index.nominate(request_of("tea", namespace=name, newest=1_000))
            assert len(pool.ids) == count
        assert folder.verify() == ()


def test_what_stays_in_memory_needs_no_file(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=2_048) as folder:
        stored(folder, "team/a", 300)
        for _ in range(3):
            folder.index.parts("team/a")
        finish_threads(threading.Thread, "omoide-maintenance")

        assert files_of(tmp_path) == []


def test_only_so_many_files_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "most_files", lambda: 3)
    with opened(tmp_path) as folder:
        for i in range(8):
            stored(folder, f"team/{i}", 10)
            folder.compact(f"team/{i}")
        for i in range(8):
            folder.index.parts(f"team/{i}")
        gc.collect()

        assert sum(isinstance(one, SegmentView) for one in gc.get_objects()) == 3


def test_some_files_may_be_mapped_whatever_the_limit_of_the_system() -> None:
    assert 1 <= view_room.most_files() <= 512
