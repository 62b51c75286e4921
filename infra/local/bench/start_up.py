"""How long starting takes."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from infra.local.bench.report import Figure
from infra.local.bench.server_process import server_process

_REPEATS = 3


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
    ]


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
