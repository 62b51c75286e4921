"""Nothing heavy is loaded before the first tool call."""

import json
import subprocess
import sys

import pytest

from tests.gateway.processes import (
    CHECKOUT,
    INITIALIZE,
    INITIALIZED,
    LIST_TOOLS,
    TIMEOUT_S,
    encoded,
    gateway_environment,
)

HEAVY = {"numpy", "onnxruntime", "tokenizers", "apsw", "httpx", "omoide", "functions", "infra"}

REPORT_AT_END = """
import atexit, json, sys
def report():
    print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)
atexit.register(report)
"""

COMMAND_LINE = (
    REPORT_AT_END
    + """
from infra.local.cli import main
sys.argv = ['omoide', 'mcp']
main()
"""
)

STDIO = (
    REPORT_AT_END
    + """
from mcp_gateway.__main__ import main
main(['--transport', 'stdio'])
"""
)

HTTP = (
    REPORT_AT_END
    + """
import asyncio, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_gateway.api_client import ApiClient
from mcp_gateway.connections import connect
from mcp_gateway.http_app import build_http_app
from mcp_gateway.protections import Protections
from mcp_gateway.server import build_server

async def main():
    api = ApiClient(lambda: connect('http://127.0.0.1:9'))
    app = build_http_app(build_server(api), api, Protections.for_address(8001))
    started, stop = asyncio.Event(), asyncio.Event()
    async def receive():
        if started.is_set():
            await stop.wait()
            return {'type': 'lifespan.shutdown'}
        return {'type': 'lifespan.startup'}
    async def send(message):
        started.set()
    life = asyncio.create_task(app({'type': 'lifespan', 'app': app, 'state': {}}, receive, send))
    await started.wait()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport) as http:
        url = 'http://127.0.0.1:8001/mcp'
        async with Client(streamable_http_client(url, http_client=http)) as client:
            assert (await client.list_tools()).tools
    stop.set()
    await life

asyncio.run(main())
"""
)


def loaded_by(program: str, stdin: bytes) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=stdin,
        cwd=CHECKOUT,
        env=gateway_environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(json.loads(done.stderr.decode().splitlines()[-1]))


@pytest.mark.parametrize(
    ("program", "stdin", "own"),
    [
        (STDIO, encoded(INITIALIZE, INITIALIZED, LIST_TOOLS), set[str]()),
        (COMMAND_LINE, encoded(INITIALIZE, INITIALIZED, LIST_TOOLS), {"infra"}),
        (HTTP, b"", set[str]()),
    ],
    ids=["stdio", "omoide mcp", "http"],
)
def test_tools_are_listed_before_anything_heavy_is_imported(
    program: str, stdin: bytes, own: set[str]
) -> None:
    loaded = loaded_by(program, stdin)

    assert "mcp" in loaded
    assert loaded & HEAVY == own
