"""memex's four tools answer as memex's MCP server does."""

import uuid

import pytest
from mcp import Client

from tests.gateway.calls import fail, succeed
from tests.gateway.fake_api import FakeApi

pytestmark = pytest.mark.anyio

WHO = {"agent_id": "a-1", "user_id": "u-1"}


async def test_the_four_tools_have_memexs_names_and_parameters(memex: Client) -> None:
    listed = await memex.list_tools()

    parameters = {tool.name: list(tool.input_schema["properties"]) for tool in listed.tools}
    required = {tool.name: tool.input_schema["required"] for tool in listed.tools}
    assert parameters == {
        "store_memory": ["agent_id", "user_id", "content", "memory_type", "importance"],
        "search_memories": ["agent_id", "user_id", "query", "top_k", "alpha", "memory_type"],
        "delete_memory": ["agent_id", "memory_id"],
        "count_memories": ["agent_id", "user_id"],
    }
    assert required == {
        "store_memory": ["agent_id", "user_id", "content"],
        "search_memories": ["agent_id", "user_id", "query"],
        "delete_memory": ["agent_id", "memory_id"],
        "count_memories": ["agent_id", "user_id"],
    }
    assert all(tool.output_schema is None for tool in listed.tools)


async def test_defaults_are_memexs(memex: Client, api: FakeApi) -> None:
    await succeed(memex, "store_memory", **WHO, content="tea")
    stored = api.last_body()
    await succeed(memex, "search_memories", **WHO, query="tea")
    searched = api.last_body()

    assert stored == {**WHO, "content": "tea", "memory_type": "episodic", "importance": 1.0}
    assert searched == {**WHO, "query": "tea", "top_k": 5, "alpha": 0.7}


async def test_storing_answers_id_type_and_importance(memex: Client, api: FakeApi) -> None:
    structured, text = await succeed(
        memex, "store_memory", **WHO, content="tea", memory_type="semantic", importance=1.5
    )

    (memory_id,) = api.memories
    assert text == f"Stored memory {memory_id} (type=semantic, importance=1.5)"
    assert structured == {}


@pytest.mark.parametrize(("given", "sent"), [(9, 2.0), (-1, 0.0), (2, 2.0), (0, 0.0), (0.25, 0.25)])
async def test_importance_is_clamped(
    memex: Client, api: FakeApi, given: float, sent: float
) -> None:
    await succeed(memex, "store_memory", **WHO, content="tea", importance=given)

    assert api.last_body()["importance"] == sent


@pytest.mark.parametrize(
    ("given", "sent"),
    [({"top_k": 0, "alpha": -1}, (1, 0.0)), ({"top_k": 999, "alpha": 7}, (50, 1.0))],
)
async def test_top_k_and_alpha_are_clamped(
    memex: Client, api: FakeApi, given: dict[str, float], sent: tuple[int, float]
) -> None:
    await succeed(memex, "search_memories", **WHO, query="tea", **given)

    body = api.last_body()
    assert (body["top_k"], body["alpha"]) == sent


async def test_a_wrong_type_is_told_in_prose_and_nothing_is_sent(
    memex: Client, api: FakeApi
) -> None:
    for tool, text_name in (("store_memory", "content"), ("search_memories", "query")):
        _, text = await succeed(memex, tool, **WHO, **{text_name: "tea"}, memory_type="prospective")
        assert text == (
            "Invalid memory_type 'prospective'. Must be one of: episodic, semantic, procedural."
        )

    assert api.requests == []


async def test_a_search_lists_rank_type_score_id_and_content(memex: Client, api: FakeApi) -> None:
    await succeed(memex, "store_memory", **WHO, content="green tea")
    await succeed(memex, "store_memory", **WHO, content="black tea", memory_type="semantic")

    _, text = await succeed(memex, "search_memories", **WHO, query="tea")

    first, second = api.memories
    assert text == (
        'Found 2 memories (query: "tea"):\n'
        f"\n1. [episodic] score=0.8765  id={first}\n   green tea\n"
        f"\n2. [semantic] score=0.8765  id={second}\n   black tea"
    )


async def test_one_result_is_a_memory_and_none_are_told(memex: Client) -> None:
    await succeed(memex, "store_memory", **WHO, content="tea")

    _, one = await succeed(memex, "search_memories", **WHO, query="tea")
    _, none = await succeed(memex, "search_memories", **WHO, query="coffee")

    assert one.startswith('Found 1 memory (query: "tea"):')
    assert none == "No memories found for agent 'a-1' / user 'u-1' matching 'coffee'."


async def test_a_long_query_is_searched_by_its_beginning(memex: Client, api: FakeApi) -> None:
    query = "tea " * 1_000

    _, text = await succeed(memex, "search_memories", **WHO, query=query)

    assert api.last_body()["query"] == query[:2_000]
    assert query in text


async def test_deleting_checks_the_agent(memex: Client, api: FakeApi) -> None:
    await succeed(memex, "store_memory", **WHO, content="tea")
    (memory_id,) = api.memories

    _, foreign = await succeed(memex, "delete_memory", agent_id="other", memory_id=memory_id)
    _, own = await succeed(memex, "delete_memory", agent_id="a-1", memory_id=memory_id)

    assert foreign == f"Memory {memory_id} not found or does not belong to agent 'other'."
    assert own == f"Deleted memory {memory_id}."
    assert api.memories == {}


async def test_deleting_what_is_no_id_is_told_in_prose(memex: Client, api: FakeApi) -> None:
    _, text = await succeed(memex, "delete_memory", agent_id="a-1", memory_id="count")

    assert text == "Invalid memory_id 'count'. Must be a valid UUID."
    assert api.requests == []


async def test_deleting_an_unknown_id_is_no_error(memex: Client) -> None:
    unknown = str(uuid.uuid4())

    _, text = await succeed(memex, "delete_memory", agent_id="a-1", memory_id=unknown)

    assert text == f"Memory {unknown} not found or does not belong to agent 'a-1'."


async def test_counting_names_agent_and_user(memex: Client) -> None:
    _, none = await succeed(memex, "count_memories", **WHO)
    await succeed(memex, "store_memory", **WHO, content="tea")
    _, one = await succeed(memex, "count_memories", **WHO)

    assert none == "Agent 'a-1' / User 'u-1' has 0 stored memories."
    assert one == "Agent 'a-1' / User 'u-1' has 1 stored memory."


async def test_the_very_same_text_is_stored_again_as_memex_does(
    memex: Client, api: FakeApi
) -> None:
    for _ in range(2):
        await succeed(memex, "store_memory", **WHO, content="tea")

    assert len(api.memories) == 2


async def test_unknown_arguments_are_ignored_as_memex_does(memex: Client, api: FakeApi) -> None:
    await succeed(memex, "store_memory", **WHO, content="tea", colour="red")

    assert "colour" not in api.last_body()


async def test_missing_arguments_are_named(memex: Client) -> None:
    text = await fail(memex, "store_memory", content="tea")

    assert "- agent_id: " in text
    assert "- user_id: " in text
