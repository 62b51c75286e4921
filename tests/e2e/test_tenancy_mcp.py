"""A key with read on team/a/** learns nothing of team/b through any MCP tool, on any transport."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from mcp_gateway.selection import known_toolsets, select_tools
from tests.e2e.mcp_attempts import TOOL_ATTEMPTS, Arguments
from tests.e2e.running_server import (
    CHECKOUT,
    bearer,
    free_port,
    omoide_command,
    omoide_environment,
    wait_for_port,
)
from tests.e2e.tenants import TRACES, Tenants, two_tenants

TOOLSETS = ",".join(("core", *sorted(set(known_toolsets()) - {"core"})))
TRANSPORTS = ("stdio beside the data", "stdio before the server", "Streamable HTTP")


@pytest.fixture(scope="module")
def tenants(data: Path) -> Iterator[Tenants]:
    """Two tenants on one server."""
    with two_tenants(data) as both:
        yield both


@pytest.fixture(scope="module")
def gateway(tenants: Tenants) -> Iterator[str]:
    """A gateway before the tenants' server; its address."""
    port = free_port()
    url = ["--url", tenants.server.base_url]
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_gateway", "--port", str(port), "--toolsets", TOOLSETS, *url],
        cwd=CHECKOUT,
        env=omoide_environment(None),
    )
    try:
        wait_for_port(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=30)


@asynccontextmanager
async def connected(
    transport: str, tenants: Tenants, gateway: str, key: str
) -> AsyncGenerator[Client]:
    """A client with the key, over one of the transports."""
    if transport == "Streamable HTTP":
        async with (
            httpx2.AsyncClient(headers=bearer(key), timeout=60) as http,
            Client(streamable_http_client(gateway, http_client=http)) as client,
        ):
            yield client
        return
    url, where = tenants.server.base_url, str(tenants.server.data)
    target = ["--data", where] if "data" in transport else ["--url", url]
    server = StdioServerParameters(
        command=omoide_command(),
        args=["mcp", "--toolsets", TOOLSETS, "--key", key, *target],
        env=omoide_environment(None),
    )
    async with Client(server) as client:
        yield client


async def call(client: Client, tool: str, arguments: Arguments) -> str:
    """Everything that a call shows, as text."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return f"error {error}"
    texts = [part.text for part in result.content if isinstance(part, types.TextContent)]
    return json.dumps([result.is_error, result.structured_content, texts], ensure_ascii=False)


def told(tenants: Tenants, shown: str) -> str:
    """What a call shows, apart from names and nonces; of a store that succeeded its outcome."""
    if shown.startswith("error "):
        return tenants.comparable(shown)
    is_error, structured, texts = json.loads(shown)
    if structured and "outcome" in structured:
        return str(structured["outcome"])
    return tenants.comparable(json.dumps([is_error, structured or texts], ensure_ascii=False))


def test_every_tool_has_a_tenancy_case() -> None:
    assert set(TOOL_ATTEMPTS) == set(select_tools(TOOLSETS.split(",")))


@pytest.mark.parametrize("key", ["reader", "writer"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_no_tool_shows_or_changes_anything_of_the_other_tenant(
    tenants: Tenants, gateway: str, transport: str, key: str
) -> None:
    before = tenants.state_of_b()

    async def try_all() -> list[tuple[str, Arguments, str, str]]:
        answers: list[tuple[str, Arguments, str, str]] = []
        async with connected(transport, tenants, gateway, getattr(tenants, key)) as client:
            for tool, attempts in TOOL_ATTEMPTS.items():
                pairs = zip(attempts(tenants.foreign), attempts(tenants.unknown), strict=True)
                for at_foreign, at_unknown in pairs:
                    foreign = await call(client, tool, at_foreign)
                    unknown = await call(client, tool, at_unknown)
                    answers.append((tool, at_foreign, foreign, unknown))
        return answers

    answers = asyncio.run(try_all())

    for tool, arguments, foreign, unknown in answers:
        seen = [trace for trace in TRACES if trace in foreign and trace not in str(arguments)]
        assert seen == [], (tool, arguments)
        assert told(tenants, foreign) == told(tenants, unknown), (tool, arguments)
    assert tenants.state_of_b() == before


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_memory_of_the_other_tenant_is_no_resource(
    tenants: Tenants, gateway: str, transport: str
) -> None:
    async def read() -> list[str]:
        errors: list[str] = []
        async with connected(transport, tenants, gateway, tenants.reader) as client:
            for aim in (tenants.foreign, tenants.unknown):
                with pytest.raises(MCPError) as refused:
                    await client.read_resource(f"omoide://memories/{aim.memory_id}")
                errors.append(aim.neutral(str(refused.value)))
        return errors

    foreign, unknown = asyncio.run(read())

    assert foreign == unknown


def test_without_a_key_the_gateway_shows_nothing(tenants: Tenants, gateway: str) -> None:
    async def search() -> str:
        async with Client(gateway) as client:
            return await call(client, "search_memories", {"query": "vault code"})

    shown = asyncio.run(search())

    assert "UNAUTHENTICATED" in shown
    assert [trace for trace in TRACES if trace in shown] == []
