"""Opening a data folder: who may, whose it is, and what happens to an older one."""

import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from omoide.adapters.embedded.database import Connection, Database, require_safe_sqlite
from omoide.adapters.embedded.schema import MIGRATIONS, prepare
from omoide.adapters.embedded.upcasting import Document, ItemKind, upcast
from omoide.domain.errors import IncompatibleDataError, UnavailableError
from omoide.ports.use_log import Accessed
from tests.contract.samples import (
    NOW,
    REVISION,
    creation_of,
    memory_of,
    operation_of,
    request_of,
)
from tests.integration.embedded.processes import opened

DATA_FILE = "omoide.sqlite3"


def connect_to(path: Path) -> Connection:
    return Database(path).connect()


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "data"
    with opened(path, segment_rows=2) as folder:
        for i in range(3):
            folder.records.commit(creation_of(memory_of(f"m{i}")))
        folder.maintenance.run(1)
        assert mode_of(path) == 0o700
        files = [file for file in path.rglob("*") if file.is_file()]
        assert {mode_of(file) for file in files} == {0o600}
        assert any(file.suffix == ".seg" for file in files)


def test_what_was_written_is_there_when_opened_again(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1", fingerprint="f1")))
        secret = folder.keys.signing_secret()

    with opened(tmp_path) as folder:
        assert folder.records.get("m1").fingerprint == "f1"
        assert folder.index.nominate(request_of("tea")).ids == ["m1"]
        assert folder.keys.signing_secret() == secret


def test_two_that_open_a_folder_share_its_secret(tmp_path: Path) -> None:
    with opened(tmp_path) as first, opened(tmp_path) as second:
        assert first.keys.signing_secret() == second.keys.signing_secret()


def test_a_folder_of_another_model_is_refused_and_both_are_named(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1")))

    with pytest.raises(IncompatibleDataError) as refusal:
        opened(tmp_path, revision="rev-2", model_id="other")

    for part in ("fake", REVISION, "other", "rev-2"):
        assert part in str(refusal.value)


def test_an_empty_folder_takes_on_any_model(tmp_path: Path) -> None:
    opened(tmp_path).close()

    opened(tmp_path, revision="rev-2", model_id="other", dims=32).close()

    with pytest.raises(IncompatibleDataError):
        with opened(tmp_path, revision="rev-2", model_id="other", dims=32) as folder:
            folder.records.commit(creation_of(memory_of("m1")))
        opened(tmp_path)


@pytest.mark.parametrize("has_segment", [False, True])
def test_a_folder_taken_over_is_found_by_its_words_alone(tmp_path: Path, has_segment: bool) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1", "red car")))
        if has_segment:
            folder.maintenance.run(1, is_forced=True)

    with opened(tmp_path, revision="rev-2", dims=32, accept_other_model=True) as folder:
        pool = folder.index.nominate(request_of("car", vector=None, revision="rev-2"))
        assert pool.ids == ["m1"]
        assert len(pool.token_bits) == 0


def test_a_file_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    connection = connect_to(tmp_path / DATA_FILE)
    connection.execute("PRAGMA user_version=99")
    connection.close()

    with pytest.raises(IncompatibleDataError, match=r"99.*update the program"):
        opened(tmp_path)


def test_an_item_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1")))
        connection = connect_to(tmp_path / DATA_FILE)
        connection.execute("UPDATE memory SET schema = 99")
        connection.close()

        with pytest.raises(IncompatibleDataError, match="99"):
            folder.records.get("m1")


@pytest.mark.parametrize("content", [b"not a database at all" * 200, b""])
def test_a_file_that_is_not_ours_is_refused_or_taken_when_empty(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / DATA_FILE).write_bytes(content)

    if content:
        with pytest.raises(IncompatibleDataError):
            opened(tmp_path)
    else:
        opened(tmp_path).close()


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = connect_to(tmp_path / DATA_FILE)
    connection.execute("CREATE TABLE t(x)")
    connection.close()

    with pytest.raises(IncompatibleDataError, match="another program"):
        opened(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    with pytest.raises(UnavailableError):
        opened(tmp_path / "data")


def test_an_older_file_is_backed_up_and_brought_up_to_date(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1")))
    database = Database(tmp_path / DATA_FILE)
    steps = (
        *MIGRATIONS,
        "ALTER TABLE memory ADD COLUMN colour TEXT DEFAULT 'red'",
        "CREATE TABLE extra(x)",
    )

    prepare(database, backups=tmp_path / "backups", migrations=steps, now=NOW)
    prepare(database, backups=tmp_path / "backups", migrations=steps, now=NOW)

    with database.reading() as connection:
        assert connection.pragma("user_version") == 1 + len(steps)
        assert connection.execute("SELECT id, colour FROM memory").fetchall() == [("m1", "red")]
    database.close()
    (backup,) = (tmp_path / "backups").iterdir()
    kept = connect_to(backup)
    assert kept.pragma("user_version") == 1 + len(MIGRATIONS)
    assert kept.execute("SELECT id FROM memory").fetchall() == [("m1",)]
    kept.close()


def test_a_file_of_the_first_version_keeps_its_operations(tmp_path: Path) -> None:
    opened(tmp_path).close()
    connection = connect_to(tmp_path / DATA_FILE)
    connection.execute("DROP TABLE operation")
    connection.execute(
        "CREATE TABLE operation(principal TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,"
        " request_hash TEXT NOT NULL, memory_id TEXT NOT NULL, outcome TEXT NOT NULL,"
        " http_status INTEGER NOT NULL, expires_at INTEGER NOT NULL, schema INTEGER NOT NULL,"
        " PRIMARY KEY(principal, name, key)) WITHOUT ROWID"
    )
    connection.execute("INSERT INTO operation VALUES ('p','store','op','h','m1','created',201,5,1)")
    connection.execute("PRAGMA user_version=1")
    connection.close()

    with opened(tmp_path) as folder:
        known = folder.records.find_operation("p", "store", "op")
        folder.records.record_operation(operation_of())

    assert known is not None
    assert (known.memory_id, known.outcome) == ("m1", "created")
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    opened(tmp_path).close()
    database = Database(tmp_path / DATA_FILE)
    steps = (*MIGRATIONS, "CREATE TABLE extra(x)", "CREATE TABLE memory(x)")

    with pytest.raises(apsw.SQLError):
        prepare(database, backups=tmp_path / "backups", migrations=steps, now=NOW)

    with database.reading() as connection:
        assert connection.pragma("user_version") == 1 + len(MIGRATIONS)
        tables = connection.execute("SELECT name FROM sqlite_schema").fetchall()
        assert ("extra",) not in tables
    database.close()


def name_content(document: Document) -> Document:
    return {**document, "content": document["text"]}


def drop_text(document: Document) -> Document:
    return {name: value for name, value in document.items() if name != "text"}


def test_documents_of_old_programs_are_brought_up_step_by_step() -> None:
    steps = {(ItemKind.MEMORY, 1): name_content, (ItemKind.MEMORY, 2): drop_text}

    assert upcast(ItemKind.MEMORY, 1, {"text": "a"}, upcasters=steps, target=3) == {"content": "a"}
    assert upcast(ItemKind.MEMORY, 3, {"x": 1}, upcasters=steps, target=3) == {"x": 1}
    with pytest.raises(IncompatibleDataError):
        upcast(ItemKind.API_KEY, 1, {}, upcasters=steps, target=3)


def test_a_sqlite_that_can_corrupt_shared_files_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_safe_sqlite()
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")

    with pytest.raises(IncompatibleDataError, match=r"3\.51\.3"):
        require_safe_sqlite()


def test_accesses_that_wait_are_written_at_close(tmp_path: Path) -> None:
    with opened(tmp_path) as folder:
        folder.records.commit(creation_of(memory_of("m1")))
        folder.uses.record(Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW))

    with opened(tmp_path) as folder:
        assert folder.uses.get_many("team/a", ["m1"])["m1"].access_count == 1


FORGETFUL = """
import sys
from pathlib import Path
from omoide.ports.use_log import Accessed
from tests.contract.samples import NOW, creation_of, memory_of
from tests.integration.embedded.processes import opened
folder = opened(Path(sys.argv[1]))
folder.records.commit(creation_of(memory_of("m1")))
folder.uses.record(Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW))
"""


def test_a_folder_that_is_never_closed_is_closed_at_exit(tmp_path: Path) -> None:
    run_script(FORGETFUL, tmp_path)

    with opened(tmp_path) as folder:
        assert folder.uses.get_many("team/a", ["m1"])["m1"].access_count == 1


FORKING = """
import os, sys
from tests.contract.samples import creation_of, memory_of, request_of
from tests.integration.embedded.processes import opened
from pathlib import Path
folder = opened(Path(sys.argv[1]))
folder.records.commit(creation_of(memory_of("parent")))
assert folder.index.nominate(request_of("tea")).ids == ["parent"]
child = os.fork()
folder.records.commit(creation_of(memory_of("child" if child == 0 else "second")))
folder.index.nominate(request_of("tea"))
if child == 0:
    folder.close()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert set(folder.index.nominate(request_of("tea")).ids) == {"parent", "child", "second"}
assert folder.verify() == ()
folder.close()
"""


def run_script(script: str, path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False
    )
    assert finished.stderr == ""
    assert finished.returncode == 0


def test_a_folder_survives_a_fork(tmp_path: Path) -> None:
    run_script(FORKING, tmp_path)
