"""Archives of functions and layers are unpacked once."""

import zipfile
from pathlib import Path

import pytest

from infra.local.emulator_start import (
    FOLDER_VARIABLE,
    LinkedArchive,
    counted_as_secure,
    without_batches,
)


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return folder


def unpack(folder: Path, name: str, content: dict[str, str]) -> Path:
    """Do as the emulator does: write an archive, unpack it into a folder beside it."""
    file, place = folder / f"{name}.zip", folder / name
    with zipfile.ZipFile(file, "w") as archive:
        for entry, text in content.items():
            archive.writestr(entry, text)
    place.mkdir()
    with LinkedArchive(file) as archive:
        archive.extractall(place)
    assert not file.exists()
    return place


def test_equal_archives_share_one_copy_and_others_do_not(tmp_path: Path, copies: Path) -> None:
    content = {"python/a.py": "A = 1", "python/deep/b.py": "B = 2"}
    first = unpack(tmp_path, "first", content)
    second = unpack(tmp_path, "second", content)
    other = unpack(tmp_path, "other", content | {"python/a.py": "A = 3"})

    assert first.resolve() == second.resolve() != other.resolve()
    assert (first / "python" / "deep" / "b.py").read_text(encoding="utf-8") == "B = 2"
    assert (other / "python" / "a.py").read_text(encoding="utf-8") == "A = 3"
    assert len(list(copies.iterdir())) == 2


def test_no_entry_gets_out_of_its_folder(tmp_path: Path, copies: Path) -> None:
    place = unpack(tmp_path, "sly", {"../../sly.py": "1", "/etc/sly.py": "2"})

    assert {one.name for one in tmp_path.rglob("sly.py")} == {"sly.py"}
    assert all(copies in one.parents for one in tmp_path.rglob("sly.py"))
    assert len(list(place.rglob("*.py"))) >= 1


def test_a_request_from_this_machine_alone_counts_as_a_secure_one() -> None:
    noted: list[tuple[str, bool]] = []
    pin = counted_as_secure(lambda ip, is_secure: noted.append((ip, is_secure)))

    pin("127.0.0.1", False)
    pin("192.0.2.7", False)
    pin("192.0.2.7", True)

    assert noted == [("127.0.0.1", True), ("192.0.2.7", False), ("192.0.2.7", True)]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("sqs:SendMessageBatch", "sqs:SendMessage"),
        ("sqs:ReceiveMessage", "sqs:ReceiveMessage"),
        ("dynamodb:GetBatch", "dynamodb:GetBatch"),
        (None, None),
    ],
)
def test_the_rights_for_batches_are_those_for_single_messages(
    asked: str | None, meant: str | None
) -> None:
    assert without_batches(lambda: asked)() == meant
