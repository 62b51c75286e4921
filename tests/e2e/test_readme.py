"""What the README shows works as it stands."""

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.e2e.running_server import CHECKOUT, RunningServer, omoide_environment

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
SERVER = "http://127.0.0.1:8000"
"""The address the README tells."""

_BLOCK = re.compile(r"<!-- executed -->\n```(\w+)\n(.*?)```", re.DOTALL)


def blocks(language: str) -> list[str]:
    """The executed blocks of a language, in order."""
    return [text for found, text in _BLOCK.findall(README) if found == language]


def run(server: RunningServer, script: str) -> str:
    """Run a block in the root of the checkout, against the test's server and its data."""
    done = subprocess.run(
        ["sh", "-eu", "-c", script.replace(SERVER, server.base_url)],
        cwd=CHECKOUT,
        env=omoide_environment(server.data),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def answers(output: str) -> list[Any]:
    """The JSON documents that a block printed one after the other."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    rest = output.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        found.append(value)
        rest = rest[end:].strip()
    return found


def test_the_first_block_stores_a_memory_and_finds_it_by_meaning_in_japanese(
    server: RunningServer,
) -> None:
    for other in ("田中さんの席は三階の窓側だ。", "The report is due on Friday."):
        server.store(other)

    stored, found = answers(run(server, blocks("sh")[0]))

    assert stored["outcome"] == "created"
    assert found["results"][0]["id"] == stored["id"]
    assert not set(found["query"]) & set("甲殻類アレルギエビカニ食")


def test_the_command_line_block_finds_what_it_stored(server: RunningServer) -> None:
    output = run(server, blocks("sh")[1])

    assert output.count("The staging database moved to port 5433.") >= 2


def test_every_executed_block_has_a_test() -> None:
    assert (len(blocks("sh")), len(blocks("json"))) == (2, 1)
    assert README.count("<!-- executed -->") == 3


def test_the_desktop_snippet_starts_a_server_with_the_tools_it_names(tmp_path: Path) -> None:
    snippet = json.loads(blocks("json")[0])["mcpServers"]["omoide"]
    command = snippet["command"].replace("/path/to/omoide", str(CHECKOUT))
    server = StdioServerParameters(
        command=command, args=snippet["args"], env=omoide_environment(tmp_path / "data")
    )

    async def names() -> set[str]:
        async with Client(server) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    tools = asyncio.run(names())

    assert tools
    assert all(f"`{name}`" in README for name in tools)


def test_the_two_commands_come_first_and_make_knows_them() -> None:
    commands = re.findall(r"^make (\w+)$", README, re.MULTILINE)

    assert commands == ["run", "test"]
    for command in commands:
        subprocess.run(
            ["make", "--dry-run", command], cwd=CHECKOUT, capture_output=True, check=True
        )


def test_it_is_short_and_its_links_lead_somewhere() -> None:
    targets = [t for t in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in t]

    assert len(README.splitlines()) <= 150
    assert targets
    assert [target for target in targets if not (CHECKOUT / target).exists()] == []


@pytest.mark.parametrize("snippet", ['claude mcp add omoide -- "$PWD/.venv/bin/omoide" mcp'])
def test_the_claude_code_snippet_names_the_command_that_setup_makes(snippet: str) -> None:
    assert snippet in README
    assert (CHECKOUT / ".venv" / "bin" / "omoide").is_file()
