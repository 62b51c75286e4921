"""The HTTP gateway as a process: Streamable HTTP without sessions."""

import asyncio
import json
import socket
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.gateway.calls import fail, succeed
from tests.gateway.fake_api import FakeApi
from tests.gateway.processes import (
    GATEWAY,
    INITIALIZE,
    LIST_TOOLS,
    call_message,
    gateway_environment,
    http_gateway,
)
from tests.gateway.served_api import served

pytestmark = pytest.mark.integration

JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.fixture(scope="module")
def shared_api() -> FakeApi:
    return FakeApi()


@pytest.fixture(scope="module")
def gateway(shared_api: FakeApi) -> Iterator[str]:
    """The base URL of a gateway for the tests of this file."""
    with served(shared_api) as url, http_gateway(url) as base_url:
        yield base_url


def post(base_url: str, message: Any, path: str = "/mcp", **headers: str) -> httpx.Response:
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return httpx.post(f"{base_url}{path}", content=content, headers={**JSON, **headers})


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_client_stores_and_recalls(
    gateway: str, path: str, mode: str, anyio_backend: str
) -> None:
    async with Client(f"{gateway}{path}", mode=mode) as client:
        receipt, _ = await succeed(client, "store_memory", content=f"抹茶 {path} {mode}")
        answer, _ = await succeed(client, "get_memory", memory_id=receipt["id"])

    assert answer["content"] == f"抹茶 {path} {mode}"


@pytest.mark.anyio
async def test_twenty_parallel_calls_of_one_client(gateway: str, anyio_backend: str) -> None:
    async with Client(f"{gateway}/mcp") as client:
        calls = [succeed(client, "store_memory", content=f"parallel {n}") for n in range(20)]
        receipts = [receipt for receipt, _ in await asyncio.gather(*calls)]

    assert len({receipt["id"] for receipt in receipts}) == 20


@pytest.mark.anyio
async def test_each_caller_acts_with_its_own_key(anyio_backend: str) -> None:
    api = FakeApi(key="omo_mine")

    async def count(base_url: str, **headers: str) -> str:
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(f"{base_url}/mcp", http_client=http)
            async with Client(transport) as client:
                result = await client.call_tool("count_memories", {})
                return "refused" if result.is_error else "served"

    with served(api) as url, http_gateway(url, "--key", "omo_mine") as base_url:
        outcomes = [
            await count(base_url),
            await count(base_url, Authorization="Bearer omo_mine"),
            await count(base_url, Authorization="Bearer omo_other"),
        ]

    assert outcomes == ["served", "served", "refused"]


def test_neither_path_is_redirected_and_the_answer_is_json(gateway: str) -> None:
    for path in ("/mcp", "/mcp/"):
        response = post(gateway, INITIALIZE, path)

        assert response.status_code == 200
        assert response.headers["content-type"] == "application/json"
        assert "mcp-session-id" not in response.headers
        assert response.json()["result"]["serverInfo"]["name"] == "omoide"


def test_calls_need_no_session_and_a_made_up_one_changes_nothing(gateway: str) -> None:
    for headers in ({}, {"mcp-session-id": "made-up"}):
        response = post(gateway, LIST_TOOLS, **headers)

        assert response.status_code == 200
        assert response.json()["result"]["tools"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": "\xff"}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": "\\ud800"}}',
        b"[1, 2]",
        b'{"id": 1}',
        b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_message_is_a_client_error(gateway: str, body: bytes) -> None:
    response = post(gateway, body)

    assert response.status_code == 400
    assert response.json()["error"]["code"] in (-32700, -32600, -32602)


@pytest.mark.parametrize(
    ("headers", "status", "code", "field"),
    [
        ({"host": "evil.test"}, 403, "FORBIDDEN", "Host"),
        ({"host": "127.0.0.1:1"}, 403, "FORBIDDEN", "Host"),
        ({"host": "127.0.0.1"}, 403, "FORBIDDEN", "Host"),
        ({"origin": "http://evil.test"}, 403, "FORBIDDEN", "Origin"),
        ({"origin": "null"}, 403, "FORBIDDEN", "Origin"),
        ({"origin": "http://localhost:3000"}, 403, "FORBIDDEN", "Origin"),
        ({"content-type": "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE", "Content-Type"),
        ({"content-type": ""}, 415, "UNSUPPORTED_MEDIA_TYPE", "Content-Type"),
    ],
)
def test_what_a_web_page_could_send_is_refused_in_the_one_error_shape(
    gateway: str, headers: dict[str, str], status: int, code: str, field: str
) -> None:
    response = post(gateway, LIST_TOOLS, **headers)

    error = response.json()["error"]
    assert response.status_code == status
    assert error["code"] == code
    assert error["details"][0]["field"] == field
    assert error["request_id"]


def test_every_loopback_name_and_the_own_origin_are_served(gateway: str) -> None:
    port = urlsplit(gateway).port
    for host in (f"localhost:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
        response = post(gateway, LIST_TOOLS, host=host, origin=f"http://{host}")

        assert response.status_code == 200


def test_a_body_over_the_limit_is_413(gateway: str) -> None:
    huge = call_message(3, "store_memory", content="x" * 10_000_000)

    response = post(gateway, huge)

    assert response.status_code == 413
    assert response.json()["error"]["code"] == "PAYLOAD_TOO_LARGE"


def test_a_body_over_the_limit_without_a_length_is_413_too(gateway: str) -> None:
    chunks = (b"x" * 1_000_000 for _ in range(10))

    response = httpx.post(f"{gateway}/mcp", content=chunks, headers=JSON)

    assert response.status_code == 413
    assert response.json()["error"]["details"][0]["field"] == "body"


def test_other_methods_and_paths_are_told_what_is_served(gateway: str) -> None:
    stream = httpx.get(f"{gateway}/mcp", headers={"accept": "text/event-stream"})
    ended = httpx.delete(f"{gateway}/mcp/")
    elsewhere = httpx.get(f"{gateway}/v1/memories")
    posted = httpx.post(f"{gateway}/health", json={})

    assert (stream.status_code, stream.headers["allow"]) == (405, "POST")
    assert (ended.status_code, ended.headers["allow"]) == (405, "POST")
    assert (posted.status_code, posted.headers["allow"]) == (405, "GET")
    assert elsewhere.status_code == 404
    assert elsewhere.json()["error"]["code"] == "NOT_FOUND"


def test_health_answers_without_the_api(gateway: str) -> None:
    with http_gateway("http://127.0.0.1:9") as base_url:
        response = httpx.get(f"{base_url}/health")

    assert response.json() == {"status": "ok", "version": "0.1.0"}


def test_a_client_that_disconnects_does_not_harm_the_next(gateway: str) -> None:
    parts = urlsplit(gateway)
    address = (parts.hostname or "", parts.port or 0)
    body = json.dumps(call_message(3, "search_memories", query="x")).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    for sent in (head + body, head + body[:5], head[:20]):
        with socket.create_connection(address) as connection:
            connection.sendall(sent)

    assert post(gateway, LIST_TOOLS).status_code == 200


@pytest.mark.anyio
async def test_a_call_that_cannot_be_done_is_a_tool_error(anyio_backend: str) -> None:
    with http_gateway("http://127.0.0.1:9") as base_url:
        async with Client(f"{base_url}/mcp") as client:
            text = await fail(client, "count_memories")

    assert text.startswith("UNAVAILABLE: ")


def test_memexs_set_is_served_alone(shared_api: FakeApi) -> None:
    with served(shared_api) as url, http_gateway(url, "--toolsets", "compat-memex") as base_url:
        tools = post(base_url, LIST_TOOLS, "/mcp/").json()["result"]["tools"]

    assert [tool["name"] for tool in tools] == [
        "store_memory",
        "search_memories",
        "delete_memory",
        "count_memories",
    ]


def test_a_port_in_use_is_told_in_one_line(gateway: str) -> None:
    done = subprocess.run(
        [*GATEWAY, "--port", str(urlsplit(gateway).port)],
        env=gateway_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert "cannot listen on 127.0.0.1 port" in done.stderr
    assert "Traceback" not in done.stderr
