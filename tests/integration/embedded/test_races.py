"""Writes at the same moment."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from omoide.adapters.embedded import EmbeddedFolder
from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.maintenance import Maintenance, forget_segments
from omoide.domain.errors import FingerprintTakenError, OmoideError, VersionConflictError
from omoide.ports.memory_records import MemoryChange
from tests.contract.folders import clock_at
from tests.contract.samples import (
    DIMS,
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)
from tests.integration.embedded.processes import opened

pytestmark = pytest.mark.integration


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[list[EmbeddedFolder]]:
    """The same folder opened four times, as four processes would."""
    opened_folders = [opened(tmp_path / "data") for _ in range(4)]
    yield opened_folders
    for folder in opened_folders:
        folder.close()


def outcomes(folders: list[EmbeddedFolder], changes: list[MemoryChange]) -> Counter[str]:
    """Commit all changes at once, over all folders, and count what became of them."""
    barrier = threading.Barrier(len(changes))

    def commit(numbered: tuple[int, MemoryChange]) -> str:
        number, change = numbered
        barrier.wait()
        try:
            folders[number % len(folders)].records.commit(change)
        except OmoideError as error:
            return type(error).__name__
        return "committed"

    with ThreadPoolExecutor(len(changes)) as pool:
        return Counter(pool.map(commit, enumerate(changes)))


@pytest.mark.parametrize("number", range(4))
def test_a_new_folder_may_be_opened_by_many_at_once(number: int, tmp_path: Path) -> None:
    barrier = threading.Barrier(12)

    def open_and_ask(_: int) -> bytes:
        barrier.wait()
        with opened(tmp_path / "data") as folder:
            return folder.keys.signing_secret()

    with ThreadPoolExecutor(12) as pool:
        secrets = set(pool.map(open_and_ask, range(12)))

    assert len(secrets) == 1


def test_of_a_hundred_stores_of_one_text_one_wins(folders: list[EmbeddedFolder]) -> None:
    changes = [creation_of(memory_of(f"m{i}", fingerprint="same")) for i in range(100)]

    counted = outcomes(folders, changes)

    assert counted == {"committed": 1, FingerprintTakenError.__name__: 99}
    assert folders[0].records.count("team/a") == 1
    assert len(folders[1].index.nominate(request_of("tea")).ids) == 1
    assert folders[2].verify() == ()


def test_of_fifty_updates_of_one_version_one_wins(folders: list[EmbeddedFolder]) -> None:
    memory = memory_of("m1")
    folders[0].records.commit(creation_of(memory))
    changes = [update_of(memory, content=f"Text {i}.") for i in range(50)]

    counted = outcomes(folders, changes)

    assert counted == {"committed": 1, VersionConflictError.__name__: 49}
    assert folders[1].records.get("m1").version == 2
    assert folders[2].records.history("m1") == (memory,)
    assert folders[3].verify() == ()


def maintenance_of(folder: EmbeddedFolder, before_publishing: Callable[[], None]) -> Maintenance:
    return Maintenance(
        Database(folder.path / "omoide.sqlite3"),
        folder.path / "segments",
        clock_at(),
        revision=REVISION,
        dims=DIMS,
        segment_rows=4,
        before_publishing=before_publishing,
    )


def test_what_is_deleted_while_a_segment_is_published_stays_deleted(
    folders: list[EmbeddedFolder],
) -> None:
    memories = [memory_of(f"m{i}", f"word{i} tea") for i in range(6)]
    for memory in memories:
        folders[0].records.commit(creation_of(memory))
    reader = folders[1]
    assert len(reader.index.nominate(request_of("tea")).ids) == 6

    def delete_some() -> None:
        folders[2].records.commit(deletion_of(memories[3]))
        folders[2].records.commit(update_of(memories[4], content="coffee"))

    assert maintenance_of(folders[0], delete_some).run(1)

    alive = {"m0", "m1", "m2", "m5"}
    for folder in (reader, folders[3]):
        pool = folder.index.nominate(request_of("tea", vector=None))
        assert set(pool.ids) == alive
        assert pool.own.document_count == 5
        assert folder.verify() == ()


@pytest.mark.parametrize("old", [0, 4, 40])
def test_segments_forgotten_while_they_are_merged_lose_no_memory(
    old: int, folders: list[EmbeddedFolder]
) -> None:
    writer, reader = folders[0], folders[1]
    writer.records.commit_all([creation_of(memory_of(f"old{i}")) for i in range(old)])
    maintenance_of(writer, lambda: None).run(1)
    writer.records.commit_all([creation_of(memory_of(f"new{i}")) for i in range(5)])
    forgotten: list[int] = []

    def forget_once() -> None:
        if not forgotten:
            forgotten.append(1)
            forget_segments(Database(writer.path / "omoide.sqlite3"), 1)

    maintenance = maintenance_of(writer, forget_once)
    for _ in range(3):
        maintenance.run(1)
        assert len(reader.index.nominate(request_of("tea", pool=1_000)).ids) == old + 5
        assert folders[2].verify() == ()


def test_deaths_forgotten_before_a_reader_saw_them_are_not_missed(
    folders: list[EmbeddedFolder],
) -> None:
    memories = [memory_of(f"m{i}", f"word{i} tea") for i in range(6)]
    for memory in memories:
        folders[0].records.commit(creation_of(memory))
    reader = folders[1]
    assert len(reader.index.nominate(request_of("tea")).ids) == 6
    for memory in memories[:5]:
        folders[0].records.commit(deletion_of(memory))

    assert not maintenance_of(folders[0], lambda: None).run(1)

    assert reader.index.nominate(request_of("tea")).ids == ["m5"]
    assert reader.verify() == ()


def test_searches_go_on_while_segments_are_merged(folders: list[EmbeddedFolder]) -> None:
    maintenance = maintenance_of(folders[0], lambda: None)
    for i in range(60):
        folders[i % 3].records.commit(creation_of(memory_of(f"m{i}", f"tea word{i}")))
        if i % 5 == 4:
            maintenance.run(1)
        pool = folders[3].index.nominate(request_of("tea", vector=None, pool=1000))
        assert len(pool.ids) == i + 1

    assert folders[3].verify() == ()


def test_several_threads_write_and_search_one_open_folder(tmp_path: Path) -> None:
    with opened(tmp_path / "data", segment_rows=8) as folder:

        def write_and_search(name: int) -> int:
            missed = 0
            for i in range(25):
                memory = memory_of(f"m{name}-{i}", f"tea word{name}x{i}")
                folder.records.commit(creation_of(memory))
                pool = folder.index.nominate(request_of(f"word{name}x{i}", vector=None))
                missed += memory.id not in pool.ids
            return missed

        with ThreadPoolExecutor(8) as pool:
            missed = sum(pool.map(write_and_search, range(8)))

        assert missed == 0
        assert folder.records.count("team/a") == 200
        assert folder.verify() == ()


def test_an_index_made_anew_while_others_write_and_search_misses_nothing(
    folders: list[EmbeddedFolder],
) -> None:
    def write_and_search(name: int) -> int:
        folder = folders[name]
        missed = 0
        for i in range(30):
            memory = memory_of(f"m{name}-{i}", f"tea word{name}x{i}")
            folder.records.commit(creation_of(memory))
            if i % 3 == 2:
                folder.records.commit(deletion_of(memory))
            pool = folder.index.nominate(request_of(f"word{name}x{i}", vector=None))
            missed += (memory.id in pool.ids) is (i % 3 == 2)
        return missed

    def rebuild(_: int) -> int:
        for _ in range(15):
            folders[3].rebuild_index()
        return 0

    with ThreadPoolExecutor(4) as pool:
        rebuilding = pool.submit(rebuild, 0)
        missed = sum(pool.map(write_and_search, range(3)))
        rebuilding.result()

    assert missed == 0
    for folder in folders:
        assert len(folder.index.nominate(request_of("tea", vector=None, pool=1_000)).ids) == 60
        assert folder.verify() == ()
