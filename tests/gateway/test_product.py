"""The tools on the product's own handlers, in this process, over fakes of storage and model."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from functions import composition
from infra.local.transport import InProcessTransport
from mcp_gateway.api_client import ApiClient
from mcp_gateway.server import build_server
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder
from omoide.settings import Settings
from tests.gateway.calls import fail, succeed, text_of

pytestmark = pytest.mark.anyio

BASE_URL = "http://omoide.local"


@pytest.fixture(autouse=True)
def product() -> Iterator[None]:
    """The functions wired to an empty folder in memory."""
    composition.configure(Settings.load({}), folder=FakeFolder(), embedder=FakeEmbedder())
    yield
    composition.close()


def connect() -> httpx.Client:
    return httpx.Client(transport=InProcessTransport(), base_url=BASE_URL)


def tools(*toolsets: str, key: str | None = None) -> Server[dict[str, Any]]:
    return build_server(ApiClient(connect, default_key=key), toolsets=toolsets or ("core",))


def make_key(name: str, scope: str) -> str:
    with connect() as http:
        answer = http.post("/v1/keys", json={"name": name, "scopes": [scope]})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])


async def test_a_memory_lives_from_store_to_delete() -> None:
    async with Client(tools()) as client:
        receipt, _ = await succeed(
            client, "store_memory", content="Anna drinks green tea", tags=["taste"], speaker="Anna"
        )
        again, _ = await succeed(
            client, "store_memory", content="Anna drinks green tea", speaker="Anna"
        )
        found, _ = await succeed(client, "search_memories", query="green tea", explain=True)
        counted, _ = await succeed(client, "count_memories")
        changed, _ = await succeed(
            client,
            "update_memory",
            memory_id=receipt["id"],
            content="Anna drinks black tea",
            clear=["tags"],
            expected_version=1,
        )
        read, _ = await succeed(client, "get_memory", memory_id=receipt["id"])
        await succeed(client, "delete_memory", memory_id=receipt["id"])
        gone = await fail(client, "get_memory", memory_id=receipt["id"])

    assert (receipt["outcome"], again["outcome"]) == ("created", "duplicate")
    assert again["id"] == receipt["id"]
    assert receipt["memory_type"] == "semantic"
    assert [one["id"] for one in found["results"]] == [receipt["id"]]
    assert found["results"][0]["explain"]
    assert counted == {"namespace": "default", "count": 1}
    assert (changed["version"], changed["tags"]) == (2, [])
    assert read["content"] == "Anna drinks black tea"
    assert gone.startswith("NOT_FOUND: ")


async def test_every_argument_of_the_native_tools_is_understood() -> None:
    when = "2026-01-02T03:04:05.000Z"
    async with Client(tools()) as client:
        receipt, _ = await succeed(
            client,
            "store_memory",
            content="The team ships on Fridays",
            namespace="team/a",
            memory_type="procedural",
            summary="Friday is shipping day",
            tags=["process"],
            entities=["team"],
            importance=0.9,
            confidence=0.8,
            source_type="user_explicit",
            source_id="doc-1",
            agent_id="agent",
            user_id="user",
            session_id="s-1",
            turn=3,
            speaker="Bo",
            event_time=when,
            event_end="2026-01-03T00:00:00Z",
            timezone="Asia/Tokyo",
            language="en",
            metadata={"a": [1, {"b": None}]},
            pinned=True,
            expires_at="2999-01-01T00:00:00Z",
            operation_id="op-1",
        )
        read, _ = await succeed(client, "get_memory", memory_id=receipt["id"])
        found, _ = await succeed(
            client,
            "search_memories",
            query="when does the team ship?",
            namespace="team/a",
            top_k=5,
            mode="lexical",
            profile="search",
            filters={
                "memory_types": ["procedural"],
                "tags_any": ["process"],
                "tags_all": ["process"],
                "session_id": "s-1",
                "agent_id": "agent",
                "user_id": "user",
                "speaker": "Bo",
                "pinned": True,
                "importance_min": 0.5,
                "confidence_min": 0.5,
                "event_after": "2026-01-01T00:00:00Z",
                "event_before": "2026-02-01T00:00:00Z",
            },
            include=["archived"],
            min_score=-10,
            timezone="Asia/Tokyo",
            explain=True,
        )
        changed, _ = await succeed(
            client,
            "update_memory",
            memory_id=receipt["id"],
            memory_type="semantic",
            summary="s",
            tags=["t"],
            entities=["e"],
            importance=0.1,
            confidence=0.2,
            speaker="Cy",
            event_time=when,
            pinned=False,
            metadata={"x": 1},
            status="archived",
            clear=["event_end", "expires_at"],
            operation_id="op-2",
        )

    assert read["event_time"] == when
    assert read["metadata"] == {"a": [1, {"b": None}]}
    assert [one["id"] for one in found["results"]] == [receipt["id"]]
    assert (changed["status"], changed["speaker"], changed["importance"]) == ("archived", "Cy", 0.1)
    assert "expires_at" not in changed


@pytest.mark.parametrize(
    "field", ["summary", "tags", "entities", "session_id", "speaker", "event_end", "metadata"]
)
async def test_every_field_that_can_be_cleared_is_cleared(field: str) -> None:
    async with Client(tools()) as client:
        receipt, _ = await succeed(
            client,
            "store_memory",
            content="x",
            summary="s",
            tags=["t"],
            entities=["e"],
            session_id="s",
            speaker="p",
            event_time="2026-01-02T00:00:00Z",
            event_end="2026-01-03T00:00:00Z",
            metadata={"a": 1},
        )

        changed, _ = await succeed(client, "update_memory", memory_id=receipt["id"], clear=[field])

    assert not changed.get(field)


async def test_a_repeated_operation_returns_the_first_result() -> None:
    async with Client(tools()) as client:
        first, _ = await succeed(client, "store_memory", content="x", operation_id="op-1")
        second, _ = await succeed(client, "store_memory", content="x", operation_id="op-1")
        other = await fail(client, "store_memory", content="y", operation_id="op-1")

    assert first == second
    assert other.startswith("IDEMPOTENCY_MISMATCH: ")


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("store_memory", {"content": "x" * 32_769}, "PAYLOAD_TOO_LARGE", "content"),
        ("store_memory", {"content": ""}, "VALIDATION_ERROR", "content"),
        ("store_memory", {"content": "a\x00b"}, "VALIDATION_ERROR", "content"),
        ("store_memory", {"content": "x", "importance": 7}, "VALIDATION_ERROR", "importance"),
        ("store_memory", {"content": "x", "event_time": "soon"}, "VALIDATION_ERROR", "event_time"),
        (
            "store_memory",
            {"content": "x", "namespace": "u/{userId}"},
            "VALIDATION_ERROR",
            "namespace",
        ),
        ("search_memories", {"query": "x", "top_k": 10**9}, "VALIDATION_ERROR", "top_k"),
        ("search_memories", {"query": "x" * 2_001}, "VALIDATION_ERROR", "query"),
        ("count_memories", {"namespace": "a//b"}, "VALIDATION_ERROR", "namespace"),
    ],
)
async def test_bad_input_is_refused_by_the_api_with_the_fields_name(
    tool: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    async with Client(tools()) as client:
        text = await fail(client, tool, **arguments)
        counted, _ = await succeed(client, "count_memories")

    assert text.startswith(f"{code}: ")
    assert text.count(f"{field}: ") == 1
    assert counted["count"] == 0


async def test_a_key_neither_sees_nor_changes_what_belongs_to_others() -> None:
    ours = make_key("writer", "write:team/a/**"), make_key("reader", "read:team/a/**")
    async with Client(tools()) as owner:
        foreign, _ = await succeed(
            owner, "store_memory", content="their secret", namespace="team/b"
        )
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("store_memory", {"content": "mine now", "namespace": "team/b"}),
        ("search_memories", {"query": "secret", "namespace": "team/b"}),
        ("get_memory", {"memory_id": foreign["id"]}),
        ("update_memory", {"memory_id": foreign["id"], "content": "changed"}),
        ("delete_memory", {"memory_id": foreign["id"]}),
        ("count_memories", {"namespace": "team/b"}),
    ]
    told: list[str] = []
    for key in ours:
        async with Client(tools("core", "compat-memex", key=key)) as client:
            for tool, arguments in attempts:
                result = await client.call_tool(tool, arguments)
                assert result.is_error, tool
                told.append(text_of(result))
            with pytest.raises(MCPError, match="NOT_FOUND"):
                await client.read_resource(f"omoide://memories/{foreign['id']}")
            found, _ = await succeed(
                client, "search_memories", query="secret", namespace="team/a/x"
            )
            assert found["results"] == []
            climbing = {"query": "secret", "namespace": "team/a/../b"}
            refused = await client.call_tool("search_memories", climbing)
            assert "namespace: a segment must not be . or .." in text_of(refused)

    async with Client(tools()) as owner:
        kept, _ = await succeed(owner, "get_memory", memory_id=foreign["id"])
    assert (kept["content"], kept["version"]) == ("their secret", 1)
    assert not any("their secret" in text for text in told)
    assert all(
        text.split(":")[0] in ("FORBIDDEN", "NOT_FOUND", "VALIDATION_ERROR") for text in told
    )


async def test_a_bad_key_is_refused() -> None:
    async with Client(tools(key="omo_no_such")) as client:
        text = await fail(client, "count_memories")

    assert text.startswith("UNAUTHENTICATED: ")


async def test_memexs_tools_work_on_the_product() -> None:
    who = {"agent_id": "a 1/x", "user_id": "u"}
    async with Client(tools("compat-memex")) as client:
        _, stored = await succeed(client, "store_memory", **who, content="Anna drinks green tea")
        _, again = await succeed(client, "store_memory", **who, content="Anna drinks green tea")
        _, counted = await succeed(client, "count_memories", **who)
        _, found = await succeed(client, "search_memories", **who, query="green tea", top_k=1)
        memory_id = stored.split()[2]
        _, foreign = await succeed(client, "delete_memory", agent_id="b", memory_id=memory_id)
        _, deleted = await succeed(client, "delete_memory", agent_id="a 1/x", memory_id=memory_id)

    assert stored.endswith("(type=episodic, importance=1.0)")
    assert again.split()[2] != memory_id
    assert counted == "Agent 'a 1/x' / User 'u' has 2 stored memories."
    assert found.startswith('Found 1 memory (query: "green tea"):\n\n1. [episodic] score=')
    assert foreign == f"Memory {memory_id} not found or does not belong to agent 'b'."
    assert deleted == f"Deleted memory {memory_id}."
