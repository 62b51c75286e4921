"""The MCP page of the documentation says what is true."""

import json
import re
import shlex
from typing import Any

import pytest

from mcp_gateway.reference import all_toolsets, render_reference
from mcp_gateway.selection import parse_toolsets
from mcp_gateway.settings import parse_settings
from tests.gateway.processes import CHECKOUT

PAGE = (CHECKOUT / "docs" / "mcp.md").read_text(encoding="utf-8")
MARK = "<!-- Written by `python -m mcp_gateway.reference`; change the tools there. -->\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_tool_reference_is_that_of_the_code() -> None:
    _, _, reference = PAGE.partition(MARK)

    assert reference.strip() == render_reference(all_toolsets()).strip()


def test_every_setting_of_the_gateway_is_in_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_settings(["--help"], {})
    shown = capsys.readouterr().out

    for name in re.findall(r"--[a-z][a-z-]+|OMOIDE_[A-Z_]+", shown):
        assert name == "--help" or f"`{name}`" in PAGE


@pytest.mark.parametrize("block", blocks("json"))
def test_configurations_are_json_and_start_omoide(block: str) -> None:
    servers: dict[str, Any] = json.loads(block)["mcpServers"]

    for server in servers.values():
        if "command" in server:
            assert server["command"].endswith("/.venv/bin/omoide")
            assert server["args"][0] == "mcp"
        else:
            assert server["url"] == "http://127.0.0.1:8001/mcp"


def test_shown_commands_name_toolsets_that_exist() -> None:
    shown = [
        word
        for block in blocks("sh")
        for line in block.replace("\\\n", " ").splitlines()
        for word in re.findall(r"(?:--toolsets |TOOLSETS=)(\S+)", line)
    ]

    assert shown
    for toolsets in shown:
        assert parse_toolsets(toolsets)


def test_the_shown_call_is_a_message() -> None:
    (command,) = [block for block in blocks("sh") if "curl" in block]
    words = shlex.split(command.replace("\\\n", " "))

    message = json.loads(words[words.index("-d") + 1])

    assert message["method"] == "tools/call"
    assert message["params"]["name"] == "search_memories"
