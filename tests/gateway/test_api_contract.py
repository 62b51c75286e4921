"""The native tools and memex's speak the words of the committed OpenAPI document."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from mcp_gateway.answers import (
    ContextItem,
    FoundMemories,
    FoundMemory,
    Memory,
    MemoryCount,
    RetrievedContext,
    StoredMemory,
    SurfacedMemories,
)
from mcp_gateway.selection import select_tools
from mcp_gateway.tools.parameters import MAX_CONTENT_CHARACTERS, MAX_QUERY_CHARACTERS
from mcp_gateway.tools.retrieve_context import RetrieveContextArguments
from mcp_gateway.tools.search_memories import SearchFilters, SearchMemoriesArguments
from mcp_gateway.tools.store_memory import StoreMemoryArguments
from mcp_gateway.tools.surface_memories import SurfaceMemoriesArguments
from mcp_gateway.tools.update_memory import UpdateMemoryArguments
from mcp_gateway.toolsets.compat_memex import MemexCount, MemexMemory, MemexResults
from tests.gateway.processes import CHECKOUT

Json = dict[str, Any]
OPENAPI: Json = json.loads((CHECKOUT / "functions" / "openapi.json").read_text(encoding="utf-8"))
NOT_SENT = {"memory_id", "clear", "expected_version", "operation_id"}


def members(schema: str) -> Json:
    return OPENAPI["components"]["schemas"][schema]["properties"]


def choices(member: Json) -> set[str]:
    """The values of an enumeration, however the document writes it."""
    if "$ref" in member:
        name = member["$ref"].rpartition("/")[2]
        return choices(OPENAPI["components"]["schemas"][name])
    nested = [*member.get("anyOf", []), *member.get("allOf", [])]
    if member.get("type") == "array":
        nested.append(member["items"])
    found = {str(value) for value in member.get("enum", [])}
    return found.union(*(choices(one) for one in nested))


@pytest.mark.parametrize(
    ("arguments", "schema"),
    [
        (StoreMemoryArguments, "StoreRequest"),
        (SearchMemoriesArguments, "SearchRequest"),
        (SearchFilters, "SearchFilters"),
        (RetrieveContextArguments, "RetrieveRequest"),
        (SurfaceMemoriesArguments, "SurfaceRequest"),
        (UpdateMemoryArguments, "UpdateRequest"),
    ],
)
def test_what_a_tool_sends_is_in_the_request_of_the_api(
    arguments: type[BaseModel], schema: str
) -> None:
    sent = set(arguments.model_fields) - (NOT_SENT if schema == "UpdateRequest" else set())

    assert sent <= set(members(schema))


@pytest.mark.parametrize(
    ("answer", "schema"),
    [
        (StoredMemory, "StoreAnswer"),
        (Memory, "NativeMemory"),
        (FoundMemory, "SearchResult"),
        (FoundMemories, "SearchAnswer"),
        (RetrievedContext, "RetrieveAnswer"),
        (SurfacedMemories, "SurfaceAnswer"),
        (ContextItem, "ContextItem"),
        (MemoryCount, "Count"),
        (MemexMemory, "MemexMemory"),
        (MemexResults, "MemexSearchAnswer"),
        (MemexCount, "MemexCount"),
    ],
)
def test_what_a_tool_reads_is_in_the_answer_of_the_api(
    answer: type[BaseModel], schema: str
) -> None:
    assert set(answer.model_fields) <= set(members(schema))


@pytest.mark.parametrize("tool", ["store_memory", "search_memories"])
def test_what_memexs_tools_send_is_in_its_request(tool: str) -> None:
    schema = {"store_memory": "MemexStoreRequest", "search_memories": "MemexSearchRequest"}[tool]
    arguments = select_tools(["compat-memex"])[tool].arguments

    assert set(arguments.model_fields) <= set(members(schema))


@pytest.mark.parametrize(
    ("arguments", "schema", "name"),
    [
        (StoreMemoryArguments, "StoreRequest", "memory_type"),
        (StoreMemoryArguments, "StoreRequest", "source_type"),
        (SearchMemoriesArguments, "SearchRequest", "mode"),
        (SearchMemoriesArguments, "SearchRequest", "profile"),
        (SearchMemoriesArguments, "SearchRequest", "include"),
        (SearchFilters, "SearchFilters", "statuses"),
        (RetrieveContextArguments, "RetrieveRequest", "cascade_stage"),
        (UpdateMemoryArguments, "UpdateRequest", "status"),
    ],
)
def test_the_values_a_tool_offers_are_values_of_the_api(
    arguments: type[BaseModel], schema: str, name: str
) -> None:
    offered = choices(arguments.model_json_schema()["properties"][name])

    assert offered
    assert offered <= choices(members(schema)[name])


def test_the_sizes_told_are_those_of_the_api() -> None:
    content, query = members("StoreRequest")["content"], members("SearchRequest")["query"]

    assert content["maxLength"] == MAX_CONTENT_CHARACTERS
    assert query["maxLength"] == MAX_QUERY_CHARACTERS
