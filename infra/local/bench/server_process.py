"""A server of the benchmark's own: the real program on a free port of the loopback interface."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from omoide.domain.errors import UnavailableError

START_LIMIT_S = 120.0
_STOP_LIMIT_S = 60.0
_POLL_S = 0.01
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProcess:
    """A server that answers.

    Attributes:
        url: Its base URL.
        pid: Process id of the first process.
        first_answer_s: From the start of the process to its first answer.
        ready_s: From the start of the process until it was ready.
    """

    url: str
    pid: int
    first_answer_s: float
    ready_s: float

    def resident_mb(self) -> float:
        """Resident memory of the server's processes together, in MB."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
        ).stdout
        rows = [tuple(int(part) for part in line.split()) for line in listed.splitlines()]
        family = {self.pid} | {pid for pid, parent, _ in rows if parent == self.pid}
        return sum(rss for pid, _, rss in rows if pid in family) / 1024

    def mapped_files(self) -> int | None:
        """Segment files the first process has mapped; None where the system does not tell."""
        listing = Path(f"/proc/{self.pid}/maps")
        if not listing.is_file():
            return None
        lines = listing.read_text(encoding="utf-8").splitlines()
        return len({line.split()[-1] for line in lines if line.endswith(".seg")})


@contextmanager
def server_process(
    data: Path, *, workers: int, environment: Mapping[str, str] | None = None
) -> Generator[ServerProcess]:
    """Start `omoide serve` on a folder, wait until it is ready, stop it at the end.

    Raises:
        UnavailableError: It did not come up.
    """
    began = time.perf_counter()
    arguments = ["serve", "--data", str(data), "--port", "0", "--workers", str(workers)]
    process = subprocess.Popen(
        [sys.executable, "-m", "infra.local.cli", *arguments],
        env={**os.environ, **(environment or {}), "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        url = _read_address(process)
        first = _wait(f"{url}/health", process, began, is_ready=False)
        ready = _wait(f"{url}/health/ready", process, began, is_ready=True)
        yield ServerProcess(url=url, pid=process.pid, first_answer_s=first, ready_s=ready)
    finally:
        process.terminate()
        process.wait(_STOP_LIMIT_S)
        if process.stdout is not None:
            process.stdout.close()


def _read_address(process: "subprocess.Popen[str]") -> str:
    line = process.stdout.readline() if process.stdout is not None else ""
    found = _ADDRESS.search(line)
    if found is None:
        raise UnavailableError("the server of the benchmark did not start")
    return found[0]


def _wait(url: str, process: "subprocess.Popen[str]", began: float, *, is_ready: bool) -> float:
    """Seconds from ``began`` until the URL answers, with 200 if it shall be ready."""
    while process.poll() is None and time.perf_counter() - began < START_LIMIT_S:
        try:
            status = httpx.get(url, trust_env=False).status_code
        except httpx.TransportError:
            status = 0
        if status == 200 or (status and not is_ready):
            return time.perf_counter() - began
        time.sleep(_POLL_S)
    raise UnavailableError("the server of the benchmark did not become ready")
