"""The command line, run in this process."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from infra.local.cli import COMMANDS, main
from infra.local.cli_reference import PAGE, cli_reference

Omoide = Callable[..., Result]


@pytest.fixture
def omoide(tmp_path: Path) -> Omoide:
    """Runs a command on a data folder of the test's own."""
    runner = CliRunner(env={"OMOIDE_DATA": str(tmp_path / "data")})

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return runner.invoke(main, arguments, input=stdin, catch_exceptions=False)

    return run


def json_of(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_text_is_stored_found_shown_listed_and_deleted(omoide: Omoide):
    stored = json_of(omoide("store", "--json", "The staging database is called tiger."))
    found = json_of(omoide("search", "--json", "what is the staging database called"))
    shown = omoide("get", stored["id"])
    listed = omoide("list", "--json")
    deleted = omoide("delete", stored["id"])
    gone = omoide("get", stored["id"])

    assert stored["outcome"] == "created"
    assert found["results"][0]["id"] == stored["id"]
    assert "The staging database is called tiger." in shown.stdout
    assert [json.loads(line)["id"] for line in listed.stdout.splitlines()] == [stored["id"]]
    assert deleted.exit_code == 0
    assert (gone.exit_code, gone.stdout) == (1, "")


def test_options_reach_the_memory(omoide: Omoide):
    stored = json_of(
        omoide(
            "store", "--json", "--namespace", "team/a", "--type", "episodic", "--tag", "x",
            "--tag", "y", "--session", "s", "--turn", "3", "--speaker", "Ana", "--importance",
            "0.9", "--event-time", "2024-05-01T10:00:00Z", "--pinned", "The build is green.",
        )
    )  # fmt: skip

    assert stored["namespace"] == "team/a"
    assert stored["memory_type"] == "episodic"
    assert sorted(stored["tags"]) == ["x", "y"]
    assert (stored["session_id"], stored["turn"], stored["speaker"]) == ("s", 3, "Ana")
    assert (stored["importance"], stored["pinned"]) == (0.9, True)
    assert stored["event_time"] == "2024-05-01T10:00:00.000Z"


def test_namespaces_are_apart(omoide: Omoide):
    omoide("store", "--namespace", "a", "Only in a.")

    assert json_of(omoide("search", "-n", "b", "--json", "only in a"))["results"] == []
    assert len(json_of(omoide("search", "-n", "a", "--json", "only in a"))["results"]) == 1


@pytest.mark.parametrize("arguments", [("store", "-"), ("store",)])
def test_standard_input_is_stored(omoide: Omoide, arguments: tuple[str, ...]):
    result = omoide(*arguments, "--json", stdin="多言語の\nメモ\n")

    assert json_of(result)["content"] == "多言語の\nメモ"


def test_standard_input_that_is_not_utf8_is_refused(omoide: Omoide):
    result = omoide("store", "-", stdin=b"\xff\xfe")

    assert result.exit_code == 2
    assert "not UTF-8" in result.stderr


def test_each_line_of_a_file_is_a_memory(omoide: Omoide, tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("first note\n\nsecond note\n", encoding="utf-8")

    result = omoide("store", "--lines", str(file), "--tag", "notes")

    assert result.exit_code == 0
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["created", "created"]
    assert "2 stored, 0 refused" in result.stderr
    assert len(omoide("list", "--tag", "notes").stdout.splitlines()) == 2


def test_a_bad_line_of_a_file_fails_alone_and_is_told_with_its_field(
    omoide: Omoide, tmp_path: Path
):
    file = tmp_path / "memories.jsonl"
    file.write_text('{"content": "good"}\n{"content": ""}\n', encoding="utf-8")

    result = omoide("store", "--jsonl", str(file), "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["content"] == "good"
    assert "memory 2: content" in result.stderr
    assert "1 stored, 1 refused" in result.stderr


def test_a_file_that_is_not_json_lines_is_refused_with_its_line(omoide: Omoide, tmp_path: Path):
    file = tmp_path / "memories.jsonl"
    file.write_text('{"content": "good"}\n[]\n', encoding="utf-8")

    result = omoide("store", "--jsonl", str(file))

    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert omoide("list").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("store", ""), "content"),
        (("store", "--event-time", "yesterday", "x"), "event_time"),
        (("store", "--namespace", "{userId}", "x"), "namespace"),
        (("search", ""), "query"),
        (("search", "--type", "nonsense", "x"), "memory_types"),
        (("list", "--status", "nonsense"), "status"),
        (("get", "not-an-id"), "memory_id"),
    ],
)
def test_a_wrong_value_names_its_field_and_exits_with_2(
    omoide: Omoide, arguments: tuple[str, ...], field: str
):
    result = omoide(*arguments)

    assert result.exit_code == 2
    assert field in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("store", "text", "--importance", "7"),
        ("store", "a", "--lines", "-"),
        ("list", "--data", "x", "--url", "http://127.0.0.1:1"),
        ("keys", "create"),
        ("keys", "create", "--admin", "--scope", "read:**"),
        ("mcp", "--toolsets", "nonsense"),
    ],
)
def test_a_wrong_call_exits_with_2(omoide: Omoide, arguments: tuple[str, ...]):
    result = omoide(*arguments)

    assert result.exit_code == 2
    assert result.stderr.startswith("Usage:")


def test_deleting_several_goes_on_after_one_that_is_not_there(omoide: Omoide):
    first = json_of(omoide("store", "--json", "first"))["id"]
    second = json_of(omoide("store", "--json", "second"))["id"]
    unknown = "0199a3c4-5b6e-7c1f-8a52-9d1e0c3b7f11"

    result = omoide("delete", "--json", first, unknown, second)

    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"deleted": 2, "failed": 1}
    assert unknown in result.stderr
    assert omoide("list").stdout == ""


def test_all_pages_of_a_list_are_followed(omoide: Omoide, tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("".join(f"note {n}\n" for n in range(205)), encoding="utf-8")
    omoide("store", "--lines", str(file))

    assert len(omoide("list", "--all").stdout.splitlines()) == 205
    assert len(omoide("list", "--limit", "203").stdout.splitlines()) == 203
    assert len(omoide("list").stdout.splitlines()) == 50


def test_a_memory_cannot_steer_the_terminal(omoide: Omoide):
    stored = json_of(omoide("store", "--json", "before \x1b[2J\u202eafter"))

    for result in (omoide("get", stored["id"]), omoide("list"), omoide("search", "before after")):
        assert "\x1b" not in result.stdout
        assert "\u202e" not in result.stdout
        assert "before" in result.stdout


def test_a_key_is_created_used_listed_and_revoked(omoide: Omoide):
    made = json_of(
        omoide("keys", "create", "--name", "agent", "--scope", "read:team/a/**", "--json")
    )
    token = made["token"]

    allowed = omoide("list", "--namespace", "team/a/x", "--key", token)
    refused = omoide("store", "--namespace", "team/a/x", "--key", token, "x")
    listed = omoide("keys", "list")
    revoked = omoide("keys", "revoke", made["key_id"])
    late = omoide("list", "--namespace", "team/a/x", "--key", token)

    assert token.startswith("omo_")
    assert allowed.exit_code == 0
    assert refused.exit_code == 1
    assert "write" in refused.stderr
    assert made["key_id"] in listed.stdout
    assert "read:team/a/**" in listed.stdout
    assert token not in listed.stdout
    assert revoked.exit_code == 0
    assert late.exit_code == 1


def test_the_secret_of_a_new_key_is_alone_on_standard_output(omoide: Omoide):
    result = omoide("keys", "create", "--admin")

    assert re.fullmatch(r"omo_\S+\n", result.stdout)
    assert "not shown again" in result.stderr


def test_every_command_has_help_with_an_example(omoide: Omoide):
    assert set(COMMANDS) <= set(omoide("--help").stdout.split())
    for name in COMMANDS:
        text = omoide(name, "--help").stdout

        assert "Examples:" in text
        assert f"omoide {name}" in text


def test_the_overview_says_what_the_commands_say():
    for name, line in COMMANDS.items():
        assert f"## omoide {name}" in cli_reference()
        assert line.endswith(".")


def test_the_command_line_page_is_what_the_commands_say():
    assert PAGE.read_text(encoding="utf-8") == cli_reference(), "run `make docs`"


def test_a_data_folder_on_the_command_line_wins_over_a_server_of_the_environment(tmp_path: Path):
    environment = {"OMOIDE_URL": "http://127.0.0.1:9", "OMOIDE_KEY": "omo_of_that_server"}
    runner = CliRunner(env=environment)
    data = ["--data", str(tmp_path / "data")]

    stored = runner.invoke(main, ["store", *data, "--json", "A note."], catch_exceptions=False)
    both = runner.invoke(main, ["list", *data, "--url", "http://127.0.0.1:9"])
    keyed = runner.invoke(main, ["list", *data, "--key", "omo_wrong"])
    remote = runner.invoke(main, ["list"])

    assert json_of(stored)["outcome"] == "created"
    assert both.exit_code == 2
    assert "exclude each other" in both.stderr
    assert keyed.exit_code == 1
    assert "no answer from http://127.0.0.1:9" in remote.stderr


def test_the_mcp_command_takes_a_data_folder_beside_a_server_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    opened: list[tuple[object, object]] = []

    def run(connect: Callable[[], object], *, toolsets: object, key: str | None) -> None:
        opened.append((key, toolsets))

    monkeypatch.setattr("mcp_gateway.stdio.run_stdio", run)
    runner = CliRunner(env={"OMOIDE_URL": "http://127.0.0.1:9", "OMOIDE_KEY": "omo_x"})

    here = runner.invoke(main, ["mcp", "--data", str(tmp_path)], catch_exceptions=False)
    there = runner.invoke(main, ["mcp"], catch_exceptions=False)

    assert (here.exit_code, there.exit_code) == (0, 0)
    assert [key for key, _ in opened] == [None, "omo_x"]
