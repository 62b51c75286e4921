"""The thread that does maintenance: when it looks, and that nothing ends it."""

import logging
import threading
from pathlib import Path

import apsw
import pytest

from omoide.adapters.embedded.file_lock import FileLock
from omoide.adapters.embedded.worker import MaintenanceWorker
from tests.contract.samples import creation_of, memory_of
from tests.integration.embedded.processes import finish_threads, opened


class Looks:
    """Maintenance that notes what was looked at and fails as told."""

    def __init__(self, *failures: Exception) -> None:
        self.seen: list[int] = []
        self.crowded_out: list[int] = []
        self._failures = list(failures)

    def run(self, nid: int, *, is_crowded_out: bool = False) -> bool:
        self.seen.append(nid)
        if is_crowded_out:
            self.crowded_out.append(nid)
        if self._failures:
            raise self._failures.pop()
        return False


@pytest.mark.parametrize(
    "failure", [apsw.BusyError("private words"), ValueError("private words"), MemoryError()]
)
def test_a_failure_ends_no_maintenance(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger=MaintenanceWorker.__module__)
    looks = Looks(failure)
    worker = MaintenanceWorker(looks)
    for nid in (1, 2, 3):
        worker.request(nid)
        finish_threads(threading.Thread, "omoide-maintenance")

    assert looks.seen == [1, 2, 3]
    assert type(failure).__name__ in caplog.text
    assert "private words" not in caplog.text
    worker.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_replaced() -> None:
    class Dying(Looks):
        def run(self, nid: int, *, is_crowded_out: bool = False) -> bool:
            if not super().run(nid, is_crowded_out=is_crowded_out) and nid == 1:
                raise SystemExit
            return False

    looks = Dying()
    worker = MaintenanceWorker(looks)
    for nid in (1, 2):
        worker.request(nid)
        finish_threads(threading.Thread, "omoide-maintenance")

    assert looks.seen == [1, 2]
    worker.close()


def test_namespaces_written_in_turn_are_all_looked_at() -> None:
    looks = Looks()
    worker = MaintenanceWorker(looks)
    for _ in range(511):
        for nid in (1, 2, 3):
            worker.written(nid)
    assert looks.seen == []

    for nid in (3, 1):
        worker.written(nid)
        finish_threads(threading.Thread, "omoide-maintenance")

    assert looks.seen == [3, 1]
    worker.close()
    assert looks.seen == [3, 1, 2]


def test_many_namespaces_of_few_writes_are_looked_at_too() -> None:
    looks = Looks()
    worker = MaintenanceWorker(looks)
    for nid in range(4_096):
        worker.written(nid)
    finish_threads(threading.Thread, "omoide-maintenance")

    assert sorted(looks.seen) == list(range(4_096))
    worker.close()
    assert len(looks.seen) == 4_096


def test_a_file_is_asked_for_once() -> None:
    looks = Looks()
    worker = MaintenanceWorker(looks)

    worker.request_file(7)
    finish_threads(threading.Thread, "omoide-maintenance")
    worker.request(7)
    finish_threads(threading.Thread, "omoide-maintenance")

    assert looks.seen == [7, 7]
    assert looks.crowded_out == [7]
    worker.close()


def test_a_deletion_is_looked_at_at_once() -> None:
    looks = Looks()
    worker = MaintenanceWorker(looks)

    worker.written(7, is_deletion=True)
    finish_threads(threading.Thread, "omoide-maintenance")

    assert looks.seen == [7]
    worker.close()


def test_what_failed_at_the_end_fails_no_closing() -> None:
    looks = Looks(ValueError("unforeseen"))
    worker = MaintenanceWorker(looks)
    for nid in (1, 2):
        worker.written(nid)

    worker.close()
    worker.close()

    assert looks.seen == [1, 2]


def test_writes_of_short_lived_programs_become_files(tmp_path: Path) -> None:
    for number in range(8):
        with opened(tmp_path, segment_rows=8) as folder:
            folder.records.commit(creation_of(memory_of(f"m{number}")))

    assert len(list((tmp_path / "segments").glob("*.seg"))) == 1


def test_rebuilding_waits_for_who_is_at_the_files(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in range(5)])
        lock = FileLock(tmp_path / "segments" / "1.lock")
        assert lock.try_acquire()
        rebuilding = threading.Thread(target=folder.rebuild_index)
        rebuilding.start()
        rebuilding.join(0.05)
        assert rebuilding.is_alive()
        lock.close()
        rebuilding.join()

        assert len(list((tmp_path / "segments").glob("*.seg"))) == 1
        assert folder.verify() == ()
