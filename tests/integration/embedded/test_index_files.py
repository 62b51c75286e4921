"""The files of the index: made anew when lost, merged, collected, and free of what was deleted."""

from datetime import timedelta
from pathlib import Path

from omoide.adapters.embedded import open_folder
from omoide.adapters.embedded.database import Database
from tests.contract.samples import (
    DIMS,
    NOW,
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)
from tests.integration.embedded.processes import opened


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
        assert len(folder.verify()) == 1

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


def test_old_tombstones_are_removed(tmp_path: Path) -> None:
    with opened(tmp_path, segment_rows=1) as folder:
        for memory_id in ("old", "new"):
            folder.records.commit(creation_of(memory_of(memory_id)))
        folder.records.commit(deletion_of(memory_of("old"), at=NOW - timedelta(days=300)))
        folder.records.commit(deletion_of(memory_of("new"), at=NOW + timedelta(days=36_500)))
        folder.maintenance.run(1)

    connection = Database(tmp_path / "omoide.sqlite3").connect()
    assert connection.execute("SELECT id FROM memory").fetchall() == [("new",)]
    connection.close()


def test_the_memory_of_many_namespaces_stays_within_its_budget(tmp_path: Path) -> None:
    with open_folder(
        tmp_path, revision=REVISION, model_id="fake", dims=DIMS, memory_budget_bytes=1
    ) as folder:
        for i in range(5):
            memory = memory_of(f"m{i}", namespace=f"team/{i}")
            folder.records.commit(creation_of(memory))
        for _ in range(2):
            for i in range(5):
                pool = folder.index.nominate(request_of("tea", namespace=f"team/{i}"))
                assert pool.ids == [f"m{i}"]
                assert folder.index.view_count == 1
