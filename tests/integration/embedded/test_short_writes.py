"""No write waits long for what goes on beside it."""

import sys
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from omoide.adapters.embedded import checkpoints
from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.folder import DATA_FILE
from omoide.adapters.embedded.giving_way import INTERVAL_S, giving_way
from omoide.ports.use_log import Accessed
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    request_of,
)
from tests.integration.embedded.processes import finish_threads, opened

MANY = 450
"""More than two portions."""


class StoppedClock:
    """Always so many days after `NOW`."""

    def __init__(self, days: int) -> None:
        self._now = NOW + timedelta(days=days)

    def now(self) -> datetime:
        return self._now


def rows_of(path: Path, table: str) -> int:
    database = Database(path / DATA_FILE)
    with database.reading() as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    database.close()
    return 0 if row is None else row[0]


def log_bytes(path: Path) -> int:
    return (path / f"{DATA_FILE}-wal").stat().st_size


def test_maintenance_lets_other_threads_through_and_restores_what_was_usual():
    usual_s = sys.getswitchinterval()

    with giving_way():
        with giving_way():
            assert sys.getswitchinterval() == pytest.approx(INTERVAL_S)
        assert sys.getswitchinterval() == pytest.approx(INTERVAL_S)

    assert sys.getswitchinterval() == usual_s


def test_many_deaths_in_the_tail_and_in_a_file_are_all_forgotten(tmp_path: Path):
    with opened(tmp_path, segment_rows=MANY) as folder:
        for first in (0, 2 * MANY):
            memories = [memory_of(f"m{i:04}") for i in range(first, first + 2 * MANY)]
            folder.records.commit_all([creation_of(memory) for memory in memories])
            if first == 0:
                folder.compact("team/a")
        dead = [*range(MANY), *range(2 * MANY, 3 * MANY)]
        folder.records.commit_all([deletion_of(memory_of(f"m{i:04}")) for i in dead])
        finish_threads(threading.Thread, "omoide-maintenance")

        folder.compact("team/a")

        assert rows_of(tmp_path, "dead") == 0
        assert len(folder.index.nominate(request_of("tea", newest=5_000)).ids) == 2 * MANY
        assert folder.verify() == ()


def test_deaths_whose_rows_have_left_the_files_are_forgotten_later(tmp_path: Path):
    with opened(tmp_path, segment_rows=8) as folder:
        folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in range(20)])
        folder.records.commit(deletion_of(memory_of("m3")))
        finish_threads(threading.Thread, "omoide-maintenance")
        folder.compact("team/a")
        database = Database(tmp_path / DATA_FILE)
        with database.writing() as connection:
            # As a process leaves it that dies between publishing a file and forgetting.
            connection.execute("INSERT INTO dead(nid, vid) SELECT 1, 4 FROM memory LIMIT 8")
        database.close()
        folder.maintenance.run(1)

        assert rows_of(tmp_path, "dead") == 0
        assert len(folder.index.nominate(request_of("tea", newest=100)).ids) == 19
        assert folder.verify() == ()


def test_many_tombstones_are_removed(tmp_path: Path):
    with opened(tmp_path) as folder:
        memories = [memory_of(f"m{i}") for i in range(MANY + 1)]
        folder.records.commit_all([creation_of(memory) for memory in memories])
        folder.records.commit_all([deletion_of(memory) for memory in memories[1:]])
        finish_threads(threading.Thread, "omoide-maintenance")

    with opened(tmp_path, clock=StoppedClock(14)) as folder:
        folder.maintenance.run(1)

        assert rows_of(tmp_path, "memory") == 1
        assert folder.verify() == ()


def test_many_accesses_are_all_counted(tmp_path: Path):
    ids = tuple(f"m{i}" for i in range(MANY))
    with opened(tmp_path) as folder:
        folder.records.commit_all([creation_of(memory_of(memory_id)) for memory_id in ids])

        folder.uses.record(Accessed(namespace="team/a", memory_ids=ids, session="s", at=NOW))
        folder.uses.flush()

        uses = folder.uses.get_many("team/a", ids)
        assert {use.access_count for use in uses.values()} == {1}
        assert len(uses) == MANY


def test_expired_operations_go_a_few_with_each_new_one(tmp_path: Path):
    with opened(tmp_path, clock=StoppedClock(0)) as folder:
        for i in range(60):
            folder.records.record_operation(operation_of(f"old-{i}"))
    with opened(tmp_path, clock=StoppedClock(14)) as folder:
        left: list[int] = []
        for i in range(5):
            new = operation_of(f"new-{i}", expires_at=NOW + timedelta(days=15))
            folder.records.record_operation(new)
            left.append(rows_of(tmp_path, "operation"))

    assert left[0] > 40
    assert left[-1] == 5


def test_the_log_of_commits_is_copied_beside_them_and_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(checkpoints, "EVERY_PAGES", 20)
    monkeypatch.setattr(checkpoints, "RESET_PAGES", 60)
    sizes: list[int] = []
    with opened(tmp_path, segment_rows=10_000) as folder:
        for i in range(150):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
            finish_threads(threading.Thread, "omoide-checkpoint")
            sizes.append(log_bytes(tmp_path))

        assert max(sizes) < 120 * 8_300
        assert folder.verify() == ()


def test_a_commit_copies_the_log_itself_when_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(checkpoints, "EVERY_PAGES", 1_000_000)
    monkeypatch.setattr(checkpoints, "LONGEST_LOG_PAGES", 60)
    with opened(tmp_path, segment_rows=10_000) as folder:
        for i in range(150):
            folder.records.commit(creation_of(memory_of(f"m{i}")))

        assert log_bytes(tmp_path) < 120 * 8_300
        assert not any(t.name == "omoide-checkpoint" for t in threading.enumerate())
