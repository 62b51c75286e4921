"""What `omoide doctor` finds in a data folder, and the cure it names."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from infra.local.cli import main
from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.file_lock import FileLock
from tests.contract.samples import creation_of, memory_of
from tests.integration.embedded.processes import opened


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of five memories, in one file of the index."""
    with opened(tmp_path / "data", segment_rows=4) as folder:
        folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in range(5)])
        assert folder.maintenance.run(1)
    return tmp_path / "data"


def findings(data: Path, *options: str) -> list[tuple[str, str, str]]:
    """Name, state and text of what was found of the memories, whatever the model does."""
    runner = CliRunner(env={"OMOIDE_DATA": str(data), "OMOIDE_MODEL": "no-such-model"})
    result = runner.invoke(main, ["doctor", "--json", *options], catch_exceptions=False)
    found: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return [(f["name"], f["state"], f["text"]) for f in found if f["name"] in ("index", "records")]


def change(data: Path, statement: str) -> None:
    connection = Database(data / "omoide.sqlite3").connect()
    connection.execute(statement)
    connection.close()


def spoil_file(data: Path) -> None:
    (file,) = (data / "segments").glob("*.seg")
    octets = file.read_bytes()
    file.write_bytes(octets[: len(octets) // 2] + bytes(len(octets) - len(octets) // 2))


def remove_file(data: Path) -> None:
    (file,) = (data / "segments").glob("*.seg")
    file.unlink()


def leave_a_gap(data: Path) -> None:
    change(data, "UPDATE segment SET low = 3")


def claim_too_much(data: Path) -> None:
    change(data, "UPDATE segment SET high = high + 10")
    with opened(data) as folder:
        folder.records.commit(creation_of(memory_of("hidden")))


@pytest.mark.parametrize("spoil", [spoil_file, remove_file, leave_a_gap, claim_too_much])
def test_an_index_that_differs_is_made_anew_on_demand(spoil: Any, data: Path) -> None:
    assert [state for _, state, _ in findings(data)] == ["ok"]
    spoil(data)

    ((name, state, text),) = findings(data)
    assert (name, state) == ("index", "problem")
    assert "omoide doctor --rebuild-index" in text
    assert "backup" not in text

    assert [state for _, state, _ in findings(data, "--rebuild-index")] == ["ok"]
    with opened(data) as folder:
        assert folder.records.count("team/a") >= 5


def test_records_that_contradict_each_other_ask_for_a_backup(data: Path) -> None:
    change(data, "UPDATE namespace SET live = 99")

    for options in ([], ["--rebuild-index"]):
        ((name, state, text),) = findings(data, *options)
        assert (name, state) == ("records", "problem")
        assert "restore a backup" in text


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert findings(tmp_path / "nothing", "--rebuild-index") == []
    assert not (tmp_path / "nothing").exists()


def test_rebuilding_lets_go_of_the_files(data: Path) -> None:
    findings(data, "--rebuild-index")

    lock = FileLock(data / "segments" / "1.lock")
    assert lock.try_acquire()
    lock.close()
