"""Failures of the machine: told as ours, and nothing is lost or locked out by them."""

from pathlib import Path
from typing import Any

import apsw
import pytest

from omoide.adapters.embedded import EmbeddedFolder
from omoide.adapters.embedded.database import Connection, Database, translated_errors
from omoide.adapters.embedded.file_lock import FileLock
from omoide.domain.errors import IncompatibleDataError, OmoideError, UnavailableError
from omoide.engine.tail import Tail
from omoide.ports.rate_limiter import RequestKind
from tests.contract.samples import creation_of, memory_of, request_of
from tests.integration.embedded.processes import opened

LIMITS = "limits.sqlite3"
WITH_FORMAT = "UPDATE scoring SET data = CAST(? || substr(data, 2) AS BLOB) WHERE memory_id = ?"


def store(folder: EmbeddedFolder, *memory_ids: str) -> None:
    for memory_id in memory_ids:
        folder.records.commit(creation_of(memory_of(memory_id)))


def found(folder: EmbeddedFolder) -> set[str]:
    return set(folder.index.nominate(request_of("tea")).ids)


def connection_to(folder: EmbeddedFolder) -> Connection:
    return Database(folder.path / "omoide.sqlite3").connect()


@pytest.mark.parametrize("failures", [1, 3])
@pytest.mark.parametrize("is_half_done", [False, True])
def test_a_refresh_that_fails_hides_no_memory_later(
    failures: int, is_half_done: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extend = Tail.extend
    left = [failures]

    def fail_first(tail: Tail, rows: Any) -> None:
        if is_half_done or not left[0]:
            extend(tail, rows)
        if rows and left[0]:
            left[0] -= 1
            raise MemoryError

    with opened(tmp_path) as folder, opened(tmp_path) as reader:
        store(folder, "m1")
        assert found(reader) == {"m1"}
        store(folder, "m2")
        monkeypatch.setattr(Tail, "extend", fail_first)
        for _ in range(failures):
            with pytest.raises(MemoryError):
                found(reader)

        assert found(reader) == {"m1", "m2"}
        store(folder, "m3")
        assert found(reader) == {"m1", "m2", "m3"}


def test_a_row_of_a_newer_program_is_told_at_every_search(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        store(folder, "m1")
        assert found(folder) == {"m1"}
        store(folder, "m2")
        connection = connection_to(folder)
        connection.execute(WITH_FORMAT, (b"\x63", "m2"))
        for number in range(3):
            with pytest.raises(IncompatibleDataError):
                found(folder)
            store(folder, f"other{number}")

        connection.execute(WITH_FORMAT, (b"\x01", "m2"))
        connection.close()
        assert found(folder) == {"m1", "m2", "other0", "other1", "other2"}


def test_a_gap_between_segments_is_told_and_mended(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        store(folder, *(f"m{i}" for i in range(5)))
        assert folder.maintenance.run(1)
        connection = connection_to(folder)
        connection.execute("UPDATE segment SET low = low + 2")
        connection.close()

    with opened(tmp_path) as folder:
        (problem,) = folder.verify()
        assert "gap" in str(problem)
        assert found(folder) == {f"m{i}" for i in range(5)}
        assert folder.verify() == ()


def test_a_segment_that_cannot_be_read_now_is_not_given_up(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        store(folder, *(f"m{i}" for i in range(5)))
        assert folder.maintenance.run(1)
    (file,) = (tmp_path / "segments").glob("*.seg")
    file.rename(tmp_path / "aside")
    file.mkdir()

    with opened(tmp_path) as folder:
        with pytest.raises(UnavailableError):
            found(folder)
        connection = connection_to(folder)
        assert connection.execute("SELECT count(*) FROM segment").fetchone() == (1,)
        connection.close()

        file.rmdir()
        (tmp_path / "aside").rename(file)
        assert len(found(folder)) == 5


def test_stores_go_on_without_a_queue(tmp_path: Path) -> None:
    (tmp_path / "omoide.queue").mkdir()

    with opened(tmp_path) as folder:
        store(folder, "m1")
        assert found(folder) == {"m1"}


@pytest.mark.parametrize(
    "error",
    [
        PermissionError(13, "Permission denied", "/secret/place"),
        OSError(28, "No space left on device", "/secret/place"),
        apsw.FullError("database or disk is full"),
        apsw.LockedError("database table is locked"),
        apsw.ProtocolError("locking protocol"),
        apsw.NoMemError("out of memory"),
    ],
)
def test_what_the_machine_refuses_is_unavailable_without_naming_places(error: Exception) -> None:
    with (
        pytest.raises(UnavailableError) as refusal,
        translated_errors(Path("/secret/place/omoide.sqlite3")),
    ):
        raise error

    assert "secret" not in str(refusal.value)


def test_maintenance_tells_what_the_machine_refuses(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        store(folder, *(f"m{i}" for i in range(5)))
        lock = tmp_path / "segments" / "1.lock"
        lock.unlink(missing_ok=True)
        lock.mkdir()

        with pytest.raises(UnavailableError):
            folder.maintenance.run(1)
        with pytest.raises(UnavailableError):
            folder.rebuild_index()
        lock.rmdir()


def test_a_lock_file_that_cannot_be_made_is_no_endless_wait(tmp_path: Path) -> None:
    (tmp_path / "omoide.lock").mkdir()

    with pytest.raises(UnavailableError):
        opened(tmp_path)


def test_a_file_system_without_locks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)

    lock = FileLock(tmp_path / "lock")
    with pytest.raises(OSError, match="No locks"):
        lock.try_acquire()
    lock.close()
    with pytest.raises(UnavailableError):
        opened(tmp_path / "data")


def ruin(path: Path, keep: int = 0) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    octets = path.read_bytes()[:keep]
    path.write_bytes(octets + b"garbage " * 4_000)


@pytest.mark.parametrize("keep", [0, 4_096])
def test_damaged_limits_lock_nobody_out(keep: int, tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        for _ in range(3):
            folder.limiter.check("key", RequestKind.WRITE, 9)
    ruin(tmp_path / LIMITS, keep)

    with opened(tmp_path) as folder, opened(tmp_path) as other:
        for each in (folder, other, folder):
            each.limiter.check("key", RequestKind.WRITE, 3)
        with pytest.raises(OmoideError) as refusal:
            other.limiter.check("key", RequestKind.WRITE, 3)
        assert refusal.value.code == "RATE_LIMITED"


def test_limits_damaged_while_open_lock_nobody_out(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.limiter.check("key", RequestKind.WRITE, 9)
        folder.limiter.close()
        ruin(tmp_path / LIMITS)

        for _ in range(3):
            folder.limiter.check("key", RequestKind.WRITE, 3)
        with pytest.raises(OmoideError) as refusal:
            folder.limiter.check("key", RequestKind.WRITE, 3)
        assert refusal.value.code == "RATE_LIMITED"


def test_a_damaged_data_file_is_a_problem_that_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        store(folder, *(f"m{i}" for i in range(40)))
    path = tmp_path / "omoide.sqlite3"
    octets = bytearray(path.read_bytes())
    octets[len(octets) // 3 :] = b"\xa5" * (len(octets) - len(octets) // 3)
    path.write_bytes(octets)

    with opened(tmp_path) as folder:
        problems = folder.verify()

    assert problems
    assert not any(problem.is_in_index for problem in problems)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_was_taken_away_is_neither_read_nor_written(tmp_path: Path, is_replaced: bool):
    path = tmp_path / "omoide.sqlite3"
    database = Database(path)
    with database.writing() as connection:
        connection.execute("CREATE TABLE t (x)")
    path.rename(tmp_path / "elsewhere")
    if is_replaced:
        path.write_bytes(b"")

    with pytest.raises(UnavailableError), database.writing():
        pass
    with pytest.raises(UnavailableError), database.reading():
        pass

    database.close()
