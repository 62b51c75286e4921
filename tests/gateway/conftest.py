"""Fixtures of the gateway's tests."""

from collections.abc import AsyncIterator

import pytest
from mcp import Client

from mcp_gateway.api_client import ApiClient
from mcp_gateway.server import build_server
from tests.gateway.fake_api import FakeApi


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture
async def client(api: FakeApi, anyio_backend: str) -> AsyncIterator[Client]:
    """The SDK's client of a server with the default tools."""
    async with Client(build_server(ApiClient(api.connect))) as connected:
        yield connected


@pytest.fixture
async def memex(api: FakeApi, anyio_backend: str) -> AsyncIterator[Client]:
    """The SDK's client of a server with memex's tools alone."""
    server = build_server(ApiClient(api.connect), toolsets=["compat-memex"])
    async with Client(server) as connected:
        yield connected
