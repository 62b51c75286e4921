"""A server that a test may signal and kill, without waiting for it to be ready."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.e2e.running_server import CHECKOUT, free_port, omoide_command, omoide_environment

WAIT_S = 60.0


class Started:
    """A server process a test may kill."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [omoide_command(), "serve", "--data", str(data), "--port", str(self.port), *arguments],
            env=omoide_environment(None),
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until_ready(self) -> "Started":
        wait_until(lambda: self.status("/health/ready") == 200)
        return self

    def status(self, path: str) -> int:
        try:
            return httpx.get(f"{self.url}{path}", trust_env=False).status_code
        except httpx.TransportError:
            return 0

    def store(self, content: str) -> str:
        body = {"content": content, "dedupe": "off"}
        answer = httpx.post(f"{self.url}/v1/memories", json=body, trust_env=False, timeout=60)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def stop(self, number: int) -> tuple[int, str]:
        """Send a signal; exit code and what was logged."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, errors


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
