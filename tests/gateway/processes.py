"""Gateways as processes of their own."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
GATEWAY = [sys.executable, "-m", "mcp_gateway"]
TIMEOUT_S = 60

Json = dict[str, Any]

INITIALIZE: Json = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED: Json = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST_TOOLS: Json = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def call_message(request_id: int | str, tool: str, **arguments: Any) -> Json:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


def gateway_environment() -> dict[str, str]:
    """The environment of this process without settings other than the model."""
    return {
        name: value
        for name, value in os.environ.items()
        if name == "OMOIDE_MODEL" or not name.startswith("OMOIDE_")
    }


@dataclass
class Finished:
    """A stdio gateway that ended.

    Attributes:
        answers: The messages it wrote, in order.
        stderr: What it logged.
        status: Its exit status.
    """

    answers: list[Json]
    stderr: str
    status: int

    def answer(self, request_id: int | str | None) -> Json:
        (found,) = [one for one in self.answers if one.get("id") == request_id]
        return found


def encoded(*messages: Json | bytes) -> bytes:
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    return b"".join(line + b"\n" for line in lines)


def run_stdio(
    *messages: Json | bytes,
    url: str = "http://127.0.0.1:9",
    flags: Sequence[str] = (),
    command: Sequence[str] | None = None,
) -> Finished:
    """Send messages to a stdio gateway, close its stdin at once and wait for its end."""
    done = subprocess.run(
        command or [*GATEWAY, "--transport", "stdio", "--url", url, *flags],
        input=encoded(*messages),
        cwd=CHECKOUT,
        env=gateway_environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return Finished(answers, done.stderr.decode(), done.returncode)


@contextmanager
def stdio_process(*flags: str) -> Generator["subprocess.Popen[bytes]"]:
    """A stdio gateway to talk to; killed if it still runs at the end."""
    process = subprocess.Popen(
        [*GATEWAY, "--transport", "stdio", *flags],
        cwd=CHECKOUT,
        env=gateway_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def http_gateway(url: str, *flags: str) -> Generator[str]:
    """A gateway over HTTP on a free port; its base URL once it listens."""
    process = subprocess.Popen(
        [*GATEWAY, "--port", "0", "--url", url, *flags],
        cwd=CHECKOUT,
        env=gateway_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stderr is not None
            found = re.search(r"MCP at (http://\S+)/mcp", process.stderr.readline())
            assert found, "the gateway did not start"
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            logged = process.stderr.read()
            assert process.wait(TIMEOUT_S) == 0
            assert "Traceback" not in logged, logged
