"""memex's four MCP tools under its names, parameters and defaults, on the same memories as HTTP."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import mcp_types as types
from mcp import Client, StdioServerParameters

from tests.e2e import memex_client
from tests.e2e.memex_client import pair
from tests.e2e.running_server import RunningServer, omoide_command, omoide_environment

T = TypeVar("T")

REQUIRED: dict[str, set[str]] = {
    "store_memory": {"agent_id", "user_id", "content"},
    "search_memories": {"agent_id", "user_id", "query"},
    "delete_memory": {"agent_id", "memory_id"},
    "count_memories": {"agent_id", "user_id"},
}
OPTIONAL: dict[str, dict[str, Any]] = {
    "store_memory": {"memory_type": "episodic", "importance": 1.0},
    "search_memories": {"top_k": 5, "alpha": 0.7, "memory_type": None},
    "delete_memory": {},
    "count_memories": {},
}


def with_memex(server: RunningServer, work: Callable[[Client], Awaitable[T]]) -> T:
    """Run something with memex's tools in front of the server."""
    parameters = StdioServerParameters(
        command=omoide_command(),
        args=["mcp", "--toolsets", "compat-memex", "--url", server.base_url],
        env=omoide_environment(None),
    )

    async def run() -> T:
        async with Client(parameters) as client:
            return await work(client)

    return asyncio.run(run())


async def say(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool answers; memex answers in prose."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error
    assert result.structured_content is None
    (part,) = result.content
    assert isinstance(part, types.TextContent)
    return part.text


def test_the_tools_have_memexs_names_parameters_and_defaults(server: RunningServer) -> None:
    async def schemas(client: Client) -> dict[str, Any]:
        return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

    found = with_memex(server, schemas)

    assert {name: set(schema["required"]) for name, schema in found.items()} == REQUIRED
    assert {
        name: {
            parameter: about.get("default")
            for parameter, about in schema["properties"].items()
            if parameter not in REQUIRED[name]
        }
        for name, schema in found.items()
    } == OPTIONAL


def test_what_is_stored_over_mcp_is_found_over_http_and_back(server: RunningServer) -> None:
    who = pair()

    async def store_search_delete(client: Client) -> list[str]:
        stored = await say(client, "store_memory", content="Said over MCP.", **who)
        found = await say(client, "search_memories", query="said over", **who)
        counted = await say(client, "count_memories", **who)
        memory_id = stored.split()[2]
        deleted = await say(client, "delete_memory", agent_id=who["agent_id"], memory_id=memory_id)
        return [stored, found, counted, deleted]

    memex_client.store(server, who, "Said over HTTP.")
    stored, found, counted, deleted = with_memex(server, store_search_delete)

    assert re.fullmatch(r"Stored memory [0-9a-f-]{36} \(type=episodic, importance=1\.0\)", stored)
    assert "Said over MCP." in found
    assert "Said over HTTP." in found
    assert "2" in counted
    assert stored.split()[2] in deleted
    assert memex_client.count(server, who)["count"] == 1


def test_numbers_out_of_range_are_clamped_and_a_wrong_type_is_told_in_prose(
    server: RunningServer,
) -> None:
    who = pair()

    async def overdo(client: Client) -> list[str]:
        return [
            await say(client, "store_memory", content="Loud.", importance=9, **who),
            await say(client, "store_memory", content="Faint.", importance=-3, **who),
            await say(client, "search_memories", query="loud", top_k=999, alpha=7, **who),
            await say(client, "store_memory", content="Odd.", memory_type="imaginary", **who),
        ]

    loud, faint, found, odd = with_memex(server, overdo)

    assert "importance=2.0" in loud
    assert "importance=0.0" in faint
    assert "Loud." in found
    assert "imaginary" in odd
    assert memex_client.count(server, who)["count"] == 2


def test_a_memory_of_another_agent_is_not_deleted(server: RunningServer) -> None:
    who = pair()
    memory = memex_client.store(server, who, "Mine.")

    async def delete(client: Client) -> str:
        return await say(client, "delete_memory", agent_id="other", memory_id=memory["id"])

    assert "not found" in with_memex(server, delete)
    assert memex_client.count(server, who)["count"] == 1
