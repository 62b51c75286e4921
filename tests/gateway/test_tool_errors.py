"""What an agent is told when a call cannot be done."""

import httpx
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS

from mcp_gateway.api_client import ApiClient
from mcp_gateway.server import build_server
from tests.gateway.calls import fail, succeed
from tests.gateway.fake_api import BASE_URL, FakeApi, Json

pytestmark = pytest.mark.anyio


def refusal(code: str, message: str, *details: Json) -> Json:
    return {"code": code, "message": message, "details": list(details), "request_id": "r"}


async def test_the_apis_code_message_and_every_field_with_its_problem_are_told(
    client: Client, api: FakeApi
) -> None:
    details = [{"field": "tags", "problem": "too many"}, {"field": "turn", "problem": "negative"}]
    api.refusal = (422, refusal("VALIDATION_ERROR", "two fields are wrong", *details), {})

    text = await fail(client, "store_memory", content="x", turn=-1)

    assert text.splitlines() == [
        "VALIDATION_ERROR: two fields are wrong",
        "- tags: too many",
        "- turn: negative",
    ]


async def test_what_the_message_says_already_is_not_repeated(client: Client, api: FakeApi) -> None:
    detail = {"field": "tags", "problem": "too many"}
    api.refusal = (422, refusal("VALIDATION_ERROR", "tags: too many", detail), {})

    text = await fail(client, "store_memory", content="x")

    assert text == "VALIDATION_ERROR: tags: too many"


async def test_a_rate_limit_says_when_to_come_back(client: Client, api: FakeApi) -> None:
    api.refusal = (429, refusal("RATE_LIMITED", "slow down"), {"Retry-After": "7"})

    text = await fail(client, "search_memories", query="x")

    assert text == "RATE_LIMITED: slow down\nTry again in 7 s."


async def test_content_over_the_limit_is_refused_by_name_and_nothing_is_stored(
    client: Client, api: FakeApi
) -> None:
    text = await fail(client, "store_memory", content="x" * 32_769)

    assert text.startswith("PAYLOAD_TOO_LARGE: ")
    assert "- content: must have at most 32768 characters" in text
    assert api.memories == {}


async def test_unknown_and_missing_arguments_are_named(client: Client, api: FakeApi) -> None:
    text = await fail(client, "store_memory", colour="red")

    assert sorted(text.splitlines()) == [
        "- colour: is not an argument of this tool",
        "- content: is required",
        "VALIDATION_ERROR: the arguments do not fit this tool",
    ]
    assert api.requests == []


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("store_memory", {}, "content"),
        ("store_memory", {"content": 5}, "content"),
        ("store_memory", {"content": "x", "tags": "a"}, "tags"),
        ("store_memory", {"content": "x", "memory_type": "dream"}, "memory_type"),
        ("store_memory", {"content": "x", "importance": "NaN"}, "importance"),
        ("search_memories", {"query": "x", "top_k": "many"}, "top_k"),
        ("search_memories", {"query": "x", "filters": {"colour": 1}}, "filters.colour"),
        ("search_memories", {"query": "x", "mode": "magic"}, "mode"),
        ("update_memory", {"memory_id": "0190a1b2-0000-7000-8000-000000000000"}, "content"),
    ],
)
async def test_a_wrong_argument_is_named_and_its_value_not_repeated(
    client: Client, api: FakeApi, tool: str, arguments: Json, field: str
) -> None:
    text = await fail(client, tool, **arguments)

    assert text.startswith("VALIDATION_ERROR: ")
    assert f"- {field}: " in text
    assert "dream" not in text
    assert api.requests == []


async def test_a_field_cannot_be_set_and_cleared(client: Client) -> None:
    text = await fail(
        client,
        "update_memory",
        memory_id="0190a1b2-0000-7000-8000-000000000000",
        summary="s",
        clear=["summary"],
    )

    assert "- summary: " in text


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("destroy_everything", {})

    assert caught.value.error.code == INVALID_PARAMS
    assert "destroy_everything" in caught.value.error.message


async def test_an_api_that_is_not_there_is_unavailable_and_named() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    def connect() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(refuse), base_url=BASE_URL)

    async with Client(build_server(ApiClient(connect))) as client:
        text = await fail(client, "count_memories")

    assert text.startswith("UNAVAILABLE: ")
    assert BASE_URL in text


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>welcome</html>"),
        httpx.Response(502, text="Bad gateway"),
        httpx.Response(200, json=[1, 2]),
        httpx.Response(200, json={"hello": "world"}),
        httpx.Response(500, json={"detail": "boom"}),
    ],
)
async def test_an_address_that_is_no_omoide_api_is_unavailable(response: httpx.Response) -> None:
    def connect() -> httpx.AsyncClient:
        transport = httpx.MockTransport(lambda request: response)
        return httpx.AsyncClient(transport=transport, base_url=BASE_URL)

    async with Client(build_server(ApiClient(connect))) as client:
        text = await fail(client, "count_memories")

    assert text.startswith("UNAVAILABLE: ")


async def test_a_crash_shows_nothing_of_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    def crash(request: httpx.Request) -> httpx.Response:
        raise RuntimeError("secret path")

    def connect() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(crash), base_url=BASE_URL)

    async with Client(build_server(ApiClient(connect))) as client:
        text = await fail(client, "store_memory", content="private words")

    assert text.startswith("INTERNAL: ")
    assert "secret" not in text
    assert "secret" not in caplog.text
    assert "private" not in caplog.text
    assert "RuntimeError" in caplog.text


async def test_a_failed_opening_is_tried_again_at_the_next_call(api: FakeApi) -> None:
    attempts: list[int] = []

    def connect() -> httpx.AsyncClient:
        attempts.append(1)
        if len(attempts) == 1:
            raise OSError("not yet")
        return api.connect()

    async with Client(build_server(ApiClient(connect))) as client:
        text = await fail(client, "count_memories")
        answer, _ = await succeed(client, "count_memories")

    assert text.startswith("UNAVAILABLE: the memory could not be opened: not yet")
    assert answer["count"] == 0
