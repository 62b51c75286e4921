"""How long starting takes."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from infra.local.bench.report import Figure
from infra.local.bench.server_process import server_process

_REPEATS = 3
_HOOK_REPEATS = 20
_SAID = "I am planning the move next month, what do I need?"


def start_up_figures(data: Path) -> list[Figure]:
    """Time the server's and the command line's start on a folder, page cache warm.

    Args:
        data: A folder with memories.
    """
    servers: list[tuple[float, float]] = []
    for _ in range(_REPEATS):
        with server_process(data, workers=1) as server:
            servers.append((server.first_answer_s, server.ready_s))
    first, ready = (statistics.median(times) for times in zip(*servers, strict=True))
    return [
        Figure(name="serve: first answer (/health)", value=first * 1000, unit="ms"),
        Figure(name="serve: ready, model loaded", value=ready * 1000, unit="ms"),
        *(
            Figure(name=f"omoide {' '.join(call[:1])}", value=_command(data, call), unit="ms")
            for call in (["--help"], ["store", "bench start-up"], ["search", "bench"], ["list"])
        ),
        *_surface_figures(data),
    ]


def _surface_figures(data: Path) -> list[Figure]:
    """Time `omoide surface` as a hook runs it: a process for each prompt."""
    cold = _surface(data, "cold")
    with server_process(data, workers=1):
        _surface(data, "warm-up", repeats=1)
        python = _median_ms(["-c", "pass"] for _ in range(_HOOK_REPEATS))
        served = _surface(data, "served")
    return [
        Figure(name="omoide surface, no server", value=cold, unit="ms"),
        Figure(
            name="omoide surface, served: beyond Python's start", value=served - python, unit="ms"
        ),
    ]


def _surface(data: Path, session: str, repeats: int = _HOOK_REPEATS) -> float:
    call = ["-m", "infra.local.entry", "surface", "--data", str(data), "-s", session]
    return _median_ms([*call, f"{_SAID} {number}"] for number in range(repeats))


def _median_ms(calls: Iterable[list[str]]) -> float:
    """Median milliseconds of some calls of Python, process start included."""
    took: list[float] = []
    for arguments in calls:
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        )
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def _command(data: Path, arguments: list[str]) -> float:
    """Median milliseconds of a command, process start included."""
    took: list[float] = []
    for number in range(_REPEATS):
        call = [f"{arguments[1]} {number}"] if len(arguments) > 1 else []
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "infra.local.cli", arguments[0], *call],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "OMOIDE_DATA": str(data)},
            capture_output=True,
            check=True,
        )
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)
