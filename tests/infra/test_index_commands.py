"""Commands that mend the index of a table."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from functions import composition
from infra.local.cli import main
from omoide.adapters.fake import FakeEmbedder
from omoide.adapters.fake.following import FollowedFolder
from omoide.settings import Settings
from tests.contract.samples import creation_of, memory_of


@pytest.fixture
def folder() -> Iterator[FollowedFolder]:
    made = FollowedFolder()
    for i in range(3):
        made.records.commit(creation_of(memory_of(f"m{i}")))
    composition.configure(Settings.load({}), folder=made, embedder=FakeEmbedder())
    yield made
    composition.configure()


def omoide(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def index_all(folder: FollowedFolder) -> None:
    composition.index_memories()(list(folder.followed.pending))


def test_an_index_is_built_anew(folder: FollowedFolder) -> None:
    told = omoide("reindex", "--json")
    again = omoide("reindex", "--anew")

    assert json.loads(told.stdout) == {"count": 3, "fault_count": 0}
    assert (told.exit_code, again.exit_code) == (0, 0)
    assert "3 memories" in again.stdout
    assert set(folder.writer.indexed) == {"m0", "m1", "m2"}


def test_what_cannot_be_indexed_anew_is_told(folder: FollowedFolder) -> None:
    folder.followed.damaged.add("m1")

    told = omoide("reindex")

    assert told.exit_code == 1
    assert "1 cannot be" in told.stdout


def test_letters_are_redriven(folder: FollowedFolder) -> None:
    folder.followed.damaged.add("m1")
    index_all(folder)

    before = omoide("redrive")
    folder.dead_letters.show_again()
    folder.followed.damaged.clear()
    after = omoide("redrive", "--json")

    assert before.exit_code == 1
    assert "m1 version 1: " in before.stdout
    assert after.exit_code == 0
    assert json.loads(after.stdout) == {"mended_count": 1, "faults": []}


@pytest.mark.parametrize("command", ["reindex", "redrive"])
def test_without_a_table_the_variable_is_named_and_no_folder_is_made(
    command: str, tmp_path: Path
) -> None:
    composition.configure(Settings.load({}, data=str(tmp_path / "data")), embedder=FakeEmbedder())

    told = omoide(command)

    composition.configure()
    assert told.exit_code == 1
    assert "OMOIDE_TABLE" in told.stderr
    assert list(tmp_path.iterdir()) == []
