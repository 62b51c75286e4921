"""The tools that give an agent a text rather than results."""

import pytest
from mcp import Client

from tests.gateway.calls import succeed
from tests.gateway.fake_api import FakeApi

pytestmark = pytest.mark.anyio


async def test_a_retrieval_is_read_as_the_api_has_written_it(client: Client) -> None:
    await succeed(client, "store_memory", content="Anna likes tea")

    answer, text = await succeed(client, "retrieve_context", query="tea")

    assert text == "<memories-x>\nAnna likes tea\n</memories-x>"
    assert [item["text"] for item in answer["items"]] == ["Anna likes tea"]
    assert answer["total_tokens"] == 9
    assert "text" not in answer


async def test_everything_asked_of_a_retrieval_goes_to_the_api(
    client: Client, api: FakeApi
) -> None:
    asked = {
        "query": "tea",
        "namespace": "n",
        "memory_types": ["semantic"],
        "token_budget": 800,
        "cascade_stage": "deep",
        "task_context": "brainstorm",
        "top_k": 3,
        "as_of": "2026-01-01T00:00:00Z",
        "timezone": "Asia/Tokyo",
    }

    await succeed(client, "retrieve_context", **asked)

    assert api.last_body() == asked


async def test_nothing_retrieved_is_told_without_an_error(client: Client) -> None:
    answer, text = await succeed(client, "retrieve_context", query="nothing", namespace="<n>")

    assert answer["items"] == []
    assert text == "No memories found in &lt;n>."


async def test_what_comes_to_mind_is_read_as_the_api_has_written_it(
    client: Client, api: FakeApi
) -> None:
    await succeed(client, "store_memory", content="Anna likes tea")
    said = {"context": "some tea", "session_id": "s", "current_valence": 0.5, "token_budget": 300}

    answer, text = await succeed(client, "surface_memories", **said)

    assert api.last_body() == said
    assert text == "<memories-x>\nAnna likes tea\n</memories-x>"
    assert [item["text"] for item in answer["items"]] == ["Anna likes tea"]
    assert answer["reminders"] == []


async def test_nothing_that_comes_to_mind_is_told_in_a_word(client: Client) -> None:
    answer, text = await succeed(client, "surface_memories", context="ok", session_id="s")

    assert answer["items"] == []
    assert text == "Nothing comes to mind."
