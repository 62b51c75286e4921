"""Many calls at once through one server."""

import asyncio
import threading
from typing import Any

import httpx
import pytest
from mcp import Client

from mcp_gateway.api_client import ApiClient
from mcp_gateway.server import build_server
from tests.gateway.calls import succeed
from tests.gateway.fake_api import BASE_URL, FakeApi

pytestmark = pytest.mark.anyio

CALLS = 20


async def in_parallel(client: Client) -> list[dict[str, Any]]:
    calls = [succeed(client, "store_memory", content=f"note {number}") for number in range(CALLS)]
    return [receipt for receipt, _ in await asyncio.gather(*calls)]


async def test_twenty_parallel_calls_open_one_connection_and_each_gets_its_own_answer(
    api: FakeApi,
) -> None:
    opened: list[int] = []

    def connect() -> httpx.AsyncClient:
        opened.append(1)
        return api.connect()

    async with Client(build_server(ApiClient(connect))) as client:
        receipts = await in_parallel(client)

    assert len(opened) == 1
    assert [api.memories[receipt["id"]]["content"] for receipt in receipts] == [
        f"note {number}" for number in range(CALLS)
    ]


async def test_a_blocking_transport_works_in_worker_threads_and_leaves_the_loop_free() -> None:
    api = FakeApi()
    together = threading.Barrier(CALLS, timeout=20)

    def answer(request: httpx.Request) -> httpx.Response:
        together.wait()
        return api.answer(request)

    def connect() -> httpx.Client:
        return httpx.Client(transport=httpx.MockTransport(answer), base_url=BASE_URL)

    async with Client(build_server(ApiClient(connect))) as client:
        receipts = await in_parallel(client)

    assert len({receipt["id"] for receipt in receipts}) == CALLS
