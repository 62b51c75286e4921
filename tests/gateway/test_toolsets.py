"""Which tools are offered, and how they describe themselves."""

import json
import re

import pytest
from mcp import Client

from mcp_gateway.api_client import ApiClient
from mcp_gateway.selection import known_toolsets, parse_toolsets, select_tools
from mcp_gateway.server import build_server
from tests.gateway.calls import succeed
from tests.gateway.fake_api import FakeApi

CORE = [
    "store_memory",
    "search_memories",
    "retrieve_context",
    "surface_memories",
    "get_memory",
    "update_memory",
    "delete_memory",
    "count_memories",
]
MEMEX = ["store_memory", "search_memories", "delete_memory", "count_memories"]


def test_every_set_is_selectable_alone_under_its_own_names() -> None:
    assert set(known_toolsets()) >= {"core", "compat-memex"}
    assert list(select_tools(["core"])) == CORE
    assert list(select_tools(["compat-memex"])) == MEMEX
    for toolset in known_toolsets():
        assert select_tools([toolset])


def test_of_two_sets_the_first_keeps_its_names_and_the_other_gets_a_prefix() -> None:
    prefixed = [f"memex_{name}" for name in MEMEX]

    assert list(select_tools(["core", "compat-memex"])) == [*CORE, *prefixed]
    assert list(select_tools(["compat-memex", "core"])) == [
        *MEMEX,
        "core_store_memory",
        "core_search_memories",
        "retrieve_context",
        "surface_memories",
        "get_memory",
        "update_memory",
        "core_delete_memory",
        "core_count_memories",
    ]


@pytest.mark.parametrize("text", ["core,nothing", "", " , ", "Core", "compat_memex"])
def test_an_unknown_set_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(ValueError, match="known are: compat-memex, core"):
        parse_toolsets(text)


def test_a_list_of_sets_is_read_in_its_order_each_once() -> None:
    assert parse_toolsets(" compat-memex, core,compat-memex ") == ("compat-memex", "core")


@pytest.mark.parametrize("toolset", known_toolsets())
def test_names_fit_every_client_and_everything_is_described(toolset: str) -> None:
    for name, tool in select_tools([toolset]).items():
        assert re.fullmatch(r"[a-z][a-z_]{0,40}", name)
        assert len(tool.description) > 40
        assert not (tool.read_only and tool.destructive)


@pytest.mark.anyio
async def test_the_listing_tells_schemas_annotations_and_sizes(client: Client) -> None:
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}

    content = listed["store_memory"].input_schema["properties"]["content"]
    assert content["maxLength"] == 32_768
    assert "32,768 characters" in content["description"]
    for tool in listed.values():
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint is False
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
    hints = {
        name: (
            tool.annotations.read_only_hint,
            tool.annotations.destructive_hint,
            tool.annotations.idempotent_hint,
        )
        for name, tool in listed.items()
        if tool.annotations is not None
    }
    assert hints == {
        "store_memory": (False, False, False),
        "search_memories": (True, False, True),
        "retrieve_context": (True, False, True),
        "surface_memories": (False, False, False),
        "get_memory": (True, False, True),
        "update_memory": (False, True, True),
        "delete_memory": (False, True, True),
        "count_memories": (True, False, True),
    }


@pytest.mark.anyio
async def test_schemas_are_plain(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        text = json.dumps([tool.input_schema, tool.output_schema])
        assert "$ref" not in text
        assert "$defs" not in text
        assert '"null"' not in text
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.anyio
async def test_the_listing_stays_small() -> None:
    """Clients put it into every conversation."""
    async with Client(build_server(ApiClient(FakeApi().connect))) as client:
        listed = await client.list_tools()

    assert len(listed.model_dump_json(by_alias=True, exclude_none=True)) < 24_000


@pytest.mark.anyio
async def test_both_sets_work_side_by_side(api: FakeApi) -> None:
    server = build_server(ApiClient(api.connect), toolsets=["core", "compat-memex"])

    async with Client(server) as client:
        _, text = await succeed(
            client, "memex_store_memory", agent_id="a", user_id="u", content="tea"
        )
        answer, _ = await succeed(client, "count_memories", namespace="agent/a/user/u")

    assert text.startswith("Stored memory ")
    assert answer["count"] == 1
