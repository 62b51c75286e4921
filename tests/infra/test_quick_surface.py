"""The quick way to surface memories, as far as it needs no server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local import hook
from infra.local.quick_surface import QuickCall, ask, data_folder, read_call
from infra.local.serving import FILE, find_server, serving_note


def read(*arguments: str) -> QuickCall:
    call = read_call(list(arguments))
    assert call is not None
    return call


def test_every_option_of_the_command_is_understood() -> None:
    call = read(
        "--session", "s", "-n", "team/a", "--budget=300", "--valence", "-0.5", "--timezone",
        "Asia/Tokyo", "--json", "--data", "folder", "what was said",
    )  # fmt: skip

    assert call.body == {
        "session_id": "s",
        "namespace": "team/a",
        "token_budget": 300,
        "current_valence": -0.5,
        "timezone": "Asia/Tokyo",
        "context": "what was said",
    }
    assert (call.data, call.as_json) == ("folder", True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["what was said"],
        ["-s", "s"],
        ["-s", "s", "-"],
        ["-s", "s", "one", "two"],
        ["-s", "s", "--url", "http://x", "said"],
        ["-s", "s", "-b", "many", "said"],
        ["said", "-s"],
    ],
)
def test_anything_else_is_left_to_the_command(arguments: list[str]) -> None:
    assert read_call(arguments) is None


def test_the_folder_is_that_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMOIDE_DATA", "~/memories")

    assert data_folder(None) == Path("~/memories").expanduser()
    assert data_folder("other") == Path("other")
    monkeypatch.delenv("OMOIDE_DATA")
    assert data_folder(None).name == "omoide"


def test_a_note_tells_of_the_server_while_it_runs(tmp_path: Path) -> None:
    with serving_note(tmp_path, "0.0.0.0", 8_000):
        assert find_server(tmp_path) == ("127.0.0.1", 8_000)
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0

    assert find_server(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_note_of_another_server_stays(tmp_path: Path) -> None:
    with serving_note(tmp_path, "127.0.0.1", 8_000), serving_note(tmp_path, "[::1]", 8_001):
        assert find_server(tmp_path) == ("::1", 8_001)
        note = (tmp_path / FILE).read_text(encoding="utf-8")
        (tmp_path / FILE).write_text(note.replace("8001", "8002"), encoding="utf-8")

    assert find_server(tmp_path) == ("::1", 8_002)


def test_a_folder_that_cannot_be_written_goes_without_a_note(tmp_path: Path) -> None:
    with serving_note(tmp_path / "missing", "127.0.0.1", 8_000):
        assert find_server(tmp_path / "missing") is None


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize(
    "note", ["", "[]", "{}", '{"host": "127.0.0.1", "port": "x", "pid": 1}', "dead"]
)
def test_a_note_that_is_wrong_or_old_counts_for_nothing(tmp_path: Path, note: str) -> None:
    old = json.dumps({"host": "127.0.0.1", "port": 1, "pid": dead_process()})
    (tmp_path / FILE).write_text(old if note == "dead" else note, encoding="utf-8")

    assert find_server(tmp_path) is None
    assert ask({}, tmp_path, timeout_s=1) is None


def test_a_port_where_nobody_answers_is_no_server(tmp_path: Path) -> None:
    note = {"host": "127.0.0.1", "port": 1, "pid": os.getpid()}
    (tmp_path / FILE).write_text(json.dumps(note), encoding="utf-8")

    assert ask({"context": "x"}, tmp_path, timeout_s=1) is None


def test_the_hook_says_nothing_to_an_empty_prompt(tmp_path: Path) -> None:
    given = json.dumps({"prompt": " \n", "session_id": "s"})

    assert hook.answer(given, {}, tmp_path) == ""


def test_the_quick_way_imports_next_to_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules);"
        "import infra.local.entry, infra.local.quick_surface;"
        "print(sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout

    for heavy in ("click", "dataclasses", "http", "httpx", "numpy", "omoide", "pydantic"):
        assert f"'{heavy}'" not in printed
