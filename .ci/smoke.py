"""The product from outside, one part at a time: `smoke.py PART BASE_URL`, run by .ci/run.

Every part stores or finds something real; nothing is imported from the project.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from mcp import Client, StdioServerParameters

OMOIDE = str(Path(__file__).resolve().parent.parent / ".venv/bin/omoide")
MEMORY = "田中さんは甲殻類アレルギーなので、エビとカニは食べられない。"
QUESTION = "田中さんを海鮮の店に誘ってもいい？"
OTHERS = (
    "田中さんの席は三階の窓側だ。",
    "The quarterly report is due on the first Friday of the month.",
    "新幹線の回数券は経理に申請する。",
    "The cat is called Mochi and sleeps on the keyboard.",
)


def call(base: str, path: str, body: object | None = None) -> dict[str, object]:
    """Send one request; the answer's JSON."""
    request = urllib.request.Request(
        base + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def answers(base: str) -> None:
    """The server is ready."""
    call(base, "/health/ready")


def http(base: str) -> None:
    """Store over HTTP, then find by meaning."""
    for text in (*OTHERS, MEMORY):
        call(base, "/v1/memories", {"content": text, "namespace": "smoke"})
    found = call(base, "/v1/memories/search", {"query": QUESTION, "namespace": "smoke"})
    results = found["results"]
    assert isinstance(results, list) and results[0]["content"] == MEMORY, found
    print(f"{QUESTION} -> {MEMORY}  (score {results[0]['score']}, {found['took_ms']} ms)")


def cli(base: str) -> None:
    """What the command line stores, the running server finds at once."""
    text = "The staging database moved to port 5433."
    subprocess.run([OMOIDE, "store", "--namespace", "smoke", text], check=True)
    found = call(base, "/v1/memories/search", {"query": "staging port", "namespace": "smoke"})
    results = found["results"]
    assert isinstance(results, list) and results[0]["content"] == text, found


async def converse(server: str | StdioServerParameters) -> None:
    """List the tools, store, search and delete through an MCP client."""
    began = time.perf_counter()
    async with Client(server) as client:
        tools = await client.list_tools()
        print(f"{len(tools.tools)} tools after {time.perf_counter() - began:.2f} s")
        space = {"namespace": "smoke/mcp"}
        stored = await client.call_tool("store_memory", {"content": MEMORY, **space})
        assert not stored.is_error and stored.structured_content, stored
        found = await client.call_tool("search_memories", {"query": QUESTION, **space})
        assert not found.is_error and MEMORY in json.dumps(
            found.structured_content, ensure_ascii=False
        ), found
        memory_id = stored.structured_content["id"]
        gone = await client.call_tool("delete_memory", {"memory_id": memory_id})
        assert not gone.is_error, gone


def mcp_stdio(base: str) -> None:
    """MCP over stdio, without the server."""
    del base
    asyncio.run(converse(StdioServerParameters(command=OMOIDE, args=["mcp"], env=dict(os.environ))))


def mcp_http(base: str) -> None:
    """MCP over Streamable HTTP, in front of the running server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    gateway = subprocess.Popen(
        [sys.executable, "-m", "mcp_gateway", "--port", str(port), "--url", base]
    )
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        asyncio.run(converse(f"http://127.0.0.1:{port}/mcp"))
    finally:
        gateway.terminate()
        gateway.wait(timeout=20)


PARTS: dict[str, Callable[[str], None]] = {
    "answers": answers,
    "http": http,
    "cli": cli,
    "mcp-stdio": mcp_stdio,
    "mcp-http": mcp_http,
}

if __name__ == "__main__":
    PARTS[sys.argv[1]](sys.argv[2])
