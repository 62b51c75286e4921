"""The files of the index: made anew when lost, merged, collected, and free of what was deleted."""

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from omoide.adapters.embedded.database import Database
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)
from tests.integration.embedded.processes import finish_threads, opened


def test_losing_every_segment_file_loses_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(9):
            folder.records.commit(creation_of(memory_of(f"m{i}", f"tea word{i}")))
        folder.maintenance.run(1)
        folder.records.commit(deletion_of(memory_of("m3", "tea word3")))
    for file in (tmp_path / "segments").glob("*.seg"):
        file.unlink()

    with opened(tmp_path, segment_rows=1000) as folder:
        assert folder.verify() != ()
        assert len(folder.index.nominate(request_of("tea", vector=None)).ids) == 8
        assert folder.verify() == ()


def test_a_damaged_segment_is_told_and_made_anew(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(9):
            folder.records.commit(creation_of(memory_of(f"m{i}", f"tea word{i}")))
        folder.maintenance.run(1)
    (file,) = (tmp_path / "segments").glob("*.seg")
    octets = bytearray(file.read_bytes())
    octets[len(octets) // 2 :] = bytes(len(octets) - len(octets) // 2)
    file.write_bytes(octets)

    with opened(tmp_path, segment_rows=1000) as folder:
        assert [problem.is_in_index for problem in folder.verify()] == [True]

        folder.rebuild_index()

        assert folder.verify() == ()
        assert len(folder.index.nominate(request_of("tea")).ids) == 9


def test_files_that_nobody_needs_are_collected(tmp_path: Path) -> None:
    orphan = tmp_path / "segments" / "1-0-99-abc.seg"
    draft = tmp_path / "segments" / "1-0-98-abc.77.tmp"
    with opened(tmp_path, segment_rows=4) as folder:
        for i in range(9):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
        for file in (orphan, draft):
            file.write_bytes(b"left by a killed process")

        folder.maintenance.run(1)

        assert not orphan.exists()
        assert not draft.exists()


def test_nothing_of_a_deleted_text_stays_after_a_forced_maintenance(tmp_path: Path) -> None:
    memory = memory_of("m1", "xyzzyplugh is secret", tags=("plughxyzzy",), session_id="qwertz")
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory))
        folder.records.commit(update_of(memory, content="xyzzyplugh is known"))
        folder.records.commit(creation_of(memory_of("m2")))
        folder.maintenance.run(1, is_forced=True)
        folder.records.commit(deletion_of(folder.records.get("m1")))

        folder.maintenance.run(1, is_forced=True)

        assert folder.verify() == ()
    left = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for word in (b"xyzzyplugh", b"plughxyzzy", b"qwertz"):
        assert word not in left


def age(path: Path, days: float) -> None:
    """Make the files of the index look so old."""
    for file in (path / "segments").glob("*.seg"):
        made_at = file.stat().st_mtime - days * 86_400
        os.utime(file, (made_at, made_at))


def octets_of_segments(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in (path / "segments").glob("*.seg"))


@pytest.mark.parametrize("is_updated", [False, True])
def test_what_was_deleted_leaves_the_files_within_a_day(is_updated: bool, tmp_path: Path) -> None:
    secret = memory_of("m3", speaker="SecretSpeaker")
    with opened(tmp_path, segment_rows=4) as folder:
        for some in (["m0", "m1"], ["m2", "m4"], ["m5"]):
            folder.records.commit_all([creation_of(memory_of(m)) for m in some])
        folder.records.commit(creation_of(secret))
        folder.maintenance.run(1)
        folder.records.commit(creation_of(memory_of("m6")))
        folder.records.commit(
            update_of(secret, speaker=None) if is_updated else deletion_of(secret)
        )
    assert b"SecretSpeaker" in octets_of_segments(tmp_path)

    age(tmp_path, days=0.9)
    with opened(tmp_path, segment_rows=4) as folder:
        assert not folder.maintenance.run(1)
    assert b"SecretSpeaker" in octets_of_segments(tmp_path)

    age(tmp_path, days=0.2)
    with opened(tmp_path, segment_rows=4) as folder:
        folder.records.commit(creation_of(memory_of("m7")))
    assert b"SecretSpeaker" not in octets_of_segments(tmp_path)
    with opened(tmp_path) as reader:
        kept = {*(f"m{i}" for i in range(8) if i != 3), *(["m3"] if is_updated else [])}
        assert set(reader.index.nominate(request_of("tea")).ids) == kept
        assert reader.verify() == ()


def test_a_program_that_only_searches_lets_deleted_rows_leave_too(tmp_path: Path) -> None:
    secret = memory_of("m3", speaker="SecretSpeaker")
    with opened(tmp_path, segment_rows=4) as folder:
        folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in range(3)])
        folder.records.commit(creation_of(secret))
        folder.maintenance.run(1)
        folder.records.commit(deletion_of(secret))
    age(tmp_path, days=2)

    with opened(tmp_path) as reader:
        for _ in range(2):
            assert set(reader.index.nominate(request_of("tea")).ids) == {"m0", "m1", "m2"}
        finish_threads(threading.Thread, "omoide-maintenance")

        assert b"SecretSpeaker" not in octets_of_segments(tmp_path)
        assert reader.verify() == ()


def test_only_the_files_that_hold_deleted_rows_are_written_again(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=4) as folder:
        for size, first in ((80, 0), (20, 100), (5, 200)):
            numbers = range(first, first + size)
            folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in numbers])
            folder.maintenance.run(1)
        folder.records.commit(deletion_of(memory_of("m105")))
        finish_threads(threading.Thread, "omoide-maintenance")
        before = set((tmp_path / "segments").glob("*.seg"))
        assert len(before) == 3
        age(tmp_path, days=2)

        assert folder.maintenance.run(1)
        assert not folder.maintenance.run(1)

        after = set((tmp_path / "segments").glob("*.seg"))
        assert [len(after), len(after & before)] == [3, 2]
        assert len(folder.index.nominate(request_of("tea", pool=1_000)).ids) == 104
        assert folder.verify() == ()


def test_old_tombstones_are_removed(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        for memory_id in ("old", "new"):
            folder.records.commit(creation_of(memory_of(memory_id)))
        folder.records.commit(deletion_of(memory_of("old"), at=NOW - timedelta(days=300)))
        folder.records.commit(deletion_of(memory_of("new"), at=NOW + timedelta(days=36_500)))

    connection = Database(tmp_path / "omoide.sqlite3").connect()
    assert connection.execute("SELECT id FROM memory").fetchall() == [("new",)]
    connection.close()
