"""What happens beside the requests: locks between processes, waiting writes, maintenance."""

import threading
from pathlib import Path

from omoide.adapters.embedded.file_lock import FileLock
from omoide.adapters.embedded.write_queue import WriteQueue
from omoide.engine.segment import read_segment
from omoide.ports.use_log import Accessed
from tests.contract.samples import NOW, creation_of, deletion_of, memory_of, request_of
from tests.integration.embedded.processes import finish_threads, opened


def test_one_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")

    assert first.try_acquire()
    assert not second.try_acquire()
    first.release()
    assert second.try_acquire()
    second.close()
    assert first.try_acquire()
    first.close()


def test_who_cannot_have_the_next_place_goes_on_without_it(tmp_path: Path) -> None:
    first, second = WriteQueue(tmp_path / "queue"), WriteQueue(tmp_path / "queue")
    first.enter(timeout_s=1)

    second.enter(timeout_s=0.01)
    second.leave()

    assert not FileLock(tmp_path / "queue").try_acquire()
    first.leave()
    second.enter(timeout_s=1)
    for queue in (first, second):
        queue.close()


def test_accesses_are_written_without_being_asked(tmp_path: Path) -> None:
    with opened(tmp_path) as folder, opened(tmp_path) as other:
        folder.records.commit(creation_of(memory_of("m1")))

        folder.uses.record(Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW))
        finish_threads(threading.Timer)

        assert other.uses.get_many("team/a", ["m1"])["m1"].access_count == 1


def test_a_long_tail_becomes_a_file_after_a_search(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=8) as folder:
        for i in range(8):
            folder.records.commit(creation_of(memory_of(f"m{i}")))

        folder.index.nominate(request_of("tea"))
        finish_threads(threading.Thread, "omoide-maintenance")

        assert len(list((tmp_path / "segments").glob("*.seg"))) == 1
        assert len(folder.index.nominate(request_of("tea")).ids) == 8
        assert folder.verify() == ()


def test_files_of_equal_size_are_merged(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(64):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
            while folder.maintenance.run(1):
                continue

        assert len(list((tmp_path / "segments").glob("*.seg"))) <= 3
        assert folder.verify() == ()


def test_a_file_of_mostly_deleted_memories_is_made_smaller(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(20):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
        folder.maintenance.run(1)
        (before,) = (tmp_path / "segments").glob("*.seg")
        assert read_segment(before).row_count == 20

        folder.records.commit_all([deletion_of(memory_of(f"m{i}")) for i in range(15)])
        finish_threads(threading.Thread, "omoide-maintenance")

        (after,) = (tmp_path / "segments").glob("*.seg")
        assert read_segment(after).row_count == 5
        assert len(folder.index.nominate(request_of("tea")).ids) == 5
        assert folder.verify() == ()


def test_a_namespace_emptied_after_it_had_files_is_empty(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(6):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
        folder.maintenance.run(1)
        folder.records.commit_all([deletion_of(memory_of(f"m{i}")) for i in range(6)])
        finish_threads(threading.Thread, "omoide-maintenance")

        assert list((tmp_path / "segments").glob("*.seg")) == []
        assert folder.index.nominate(request_of("tea")).ids == []
        folder.records.commit(creation_of(memory_of("again")))
        assert folder.index.nominate(request_of("tea")).ids == ["again"]
        assert folder.verify() == ()
