"""A server of its own for a test: the real program, its own data folder, its own port."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

CHECKOUT = Path(__file__).resolve().parents[2]
START_TIMEOUT_S = 90.0

Json = Any
"""What an answer holds; tests look into it by key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A server that answers.

    Attributes:
        base_url: Such as ``http://127.0.0.1:49152``.
        data: Its data folder.
        http: A client with the base URL and JSON bodies.
    """

    base_url: str
    data: Path
    http: httpx.Client

    def get(self, path: str, key: str | None = None, **query: str | int) -> httpx.Response:
        return self.http.get(path, params=query, headers=bearer(key))

    def post(self, path: str, body: Json, key: str | None = None) -> httpx.Response:
        return self.http.post(path, json=body, headers=bearer(key))

    def store(self, content: str, key: str | None = None, **fields: Json) -> Json:
        """Store a memory; the answer's body."""
        answer = self.post("/v1/memories", {"content": content, **fields}, key)
        assert answer.is_success, answer.text
        return answer.json()

    def search(self, query: str, key: str | None = None, **fields: Json) -> Json:
        """Search; the answer's body."""
        answer = self.post("/v1/memories/search", {"query": query, **fields}, key)
        assert answer.status_code == 200, answer.text
        return answer.json()


def bearer(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def omoide(
    *arguments: str,
    data: Path | None = None,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(
        [omoide_command(), *arguments],
        env=omoide_environment(data, environment),
        cwd=cwd or CHECKOUT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def omoide_json(*arguments: str, data: Path) -> Json:
    """Run a command with --json; what it prints."""
    done = omoide(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def omoide_command() -> str:
    return str(Path(sys.executable).parent / "omoide")


def omoide_environment(
    data: Path | None, environment: Mapping[str, str] | None = None
) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("OMOIDE_")}
    model = {k: v for k, v in os.environ.items() if k == "OMOIDE_MODEL"}
    own = {} if data is None else {"OMOIDE_DATA": str(data)}
    return {**inherited, **model, **own, **(environment or {})}


def create_key(data: Path, *scopes: str, namespace: str = "default", name: str = "test") -> str:
    """Make an API key with the operator's own rights; the token."""
    arguments = [part for scope in scopes for part in ("--scope", scope)]
    made = omoide_json(
        "keys", "create", "--name", name, "--namespace", namespace, *arguments, data=data
    )
    token = made["token"]
    assert token.startswith("omo_")
    return token


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int) -> None:
    """Wait until somebody listens on a port of this machine."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"nobody listens on port {port} after {START_TIMEOUT_S} s")


@contextmanager
def running_server(
    data: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    ready_at: str = "/health/ready",
) -> Generator[RunningServer]:
    """Start `omoide serve`, wait until ``ready_at`` answers 200, stop it at the end."""
    port = free_port()
    log = data.parent / f"{data.name}-server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [omoide_command(), "serve", "--data", str(data), "--port", str(port), *arguments],
            env=omoide_environment(None, environment),
            cwd=CHECKOUT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    base_url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=base_url, timeout=60, trust_env=False) as http:
            _wait_until_ready(http, ready_at, process, log)
            yield RunningServer(base_url=base_url, data=data, http=http)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_until_ready(
    http: httpx.Client, ready_at: str, process: subprocess.Popen[bytes], log: Path
) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            if http.get(ready_at).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"not ready after {START_TIMEOUT_S} s:\n{log.read_text(encoding='utf-8')}")
