"""How long MCP clients wait: from starting the process to the answers of initialize and tools/list.

Run it with ``python -m tests.gateway.bench_start_up``; it prints medians of some starts in seconds
and ends with status 1 when one of them misses the promise of a second.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

import httpx

from tests.gateway.processes import (
    CHECKOUT,
    GATEWAY,
    INITIALIZE,
    INITIALIZED,
    LIST_TOOLS,
    encoded,
    gateway_environment,
    http_gateway,
)

PROMISE_S = 1.0
STARTS = 7
OMOIDE = [str(Path(sys.executable).with_name("omoide")), "mcp"]
JSON = {"accept": "application/json, text/event-stream"}

Waits = tuple[float, float]
"""Seconds until the answer of initialize and until that of tools/list."""


def wait_for_stdio(command: list[str]) -> Waits:
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env=gateway_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        waits: list[float] = []
        for sent in (encoded(INITIALIZE), encoded(INITIALIZED, LIST_TOOLS)):
            stdin.write(sent)
            stdin.flush()
            assert json.loads(stdout.readline())["result"]
            waits.append(time.perf_counter() - started)
        stdin.close()
    return waits[0], waits[1]


def wait_for_http() -> Waits:
    started = time.perf_counter()
    with (
        http_gateway("http://127.0.0.1:9") as base_url,
        httpx.Client(base_url=base_url, headers=JSON) as http,
    ):
        waits: list[float] = []
        for message in (INITIALIZE, LIST_TOOLS):
            assert http.post("/mcp", json=message).json()["result"]
            waits.append(time.perf_counter() - started)
    return waits[0], waits[1]


def main() -> int:
    with tempfile.TemporaryDirectory() as data:
        cases: dict[str, Callable[[], Waits]] = {
            "stdio, of a server elsewhere": lambda: wait_for_stdio(
                [*GATEWAY, "--transport", "stdio"]
            ),
            "stdio, omoide mcp": lambda: wait_for_stdio([*OMOIDE, "--data", data]),
            "streamable http": wait_for_http,
        }
        missed = False
        for name, wait in cases.items():
            waits = [wait() for _ in range(STARTS)]
            medians = [round(statistics.median(column), 3) for column in zip(*waits, strict=True)]
            missed = missed or max(medians) >= PROMISE_S
            answer = {"transport": name, "initialize_s": medians[0], "tools_list_s": medians[1]}
            print(json.dumps(answer))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
