"""Throughput under memex's load profile, by locust in a process of its own."""

import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

from infra.local.bench.report import Throughput
from infra.local.bench.server_process import ServerProcess
from omoide.domain.errors import UnavailableError

USERS = 500
SPAWN_PER_S = 100
RUN_S = 30
SEED_ALLOWANCE_S = 25
"""Added to the run: locust's clock runs during the seed phase, whose stores it does not count."""

_RAMP_S = USERS // SPAWN_PER_S + 2
_LOCUSTFILE = Path(__file__).parents[3] / "tests" / "load" / "locustfile.py"


def can_load() -> bool:
    """Whether locust is installed."""
    return importlib.util.find_spec("locust") is not None


def run_load(
    name: str, server: ServerProcess, *, target_requests_per_s: float, run_s: int = RUN_S
) -> Throughput:
    """Run the saturating profile against a server.

    Args:
        name: Of the run.
        server: With no rate limits: its requests are the local principal's.
        target_requests_per_s: What shall be reached.
        run_s: Seconds of load, about.

    Raises:
        UnavailableError: The run ended before all users had started.
    """
    with tempfile.TemporaryDirectory(prefix="omoide-load-") as folder:
        printed = subprocess.run(
            [
                *(sys.executable, "-m", "locust", "-f", str(_LOCUSTFILE), "MemexSaturationUser"),
                *("--headless", "--host", server.url, "--only-summary", "--json"),
                *("-u", str(USERS), "-r", str(SPAWN_PER_S), "-t", f"{run_s + SEED_ALLOWANCE_S}s"),
            ],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        ).stdout
    entries = cast("list[dict[str, object]]", json.loads(printed))
    return summarise(name, entries, target_requests_per_s)


def summarise(name: str, entries: list[dict[str, object]], target: float) -> Throughput:
    """Read locust's statistics.

    Args:
        name: Of the run.
        entries: What ``locust --json`` prints.
        target: Requests a second that shall be reached.

    Raises:
        UnavailableError: They do not reach beyond the ramp.
    """
    per_second: dict[int, int] = {}
    times: dict[float, int] = {}
    for entry in entries:
        for second, count in cast("dict[str, int]", entry["num_reqs_per_sec"]).items():
            per_second[int(second)] = per_second.get(int(second), 0) + count
        for took, count in cast("dict[str, int]", entry["response_times"]).items():
            times[float(took)] = times.get(float(took), 0) + count
    seconds = sorted(per_second)
    steady = [per_second[s] for s in seconds if seconds[0] + _RAMP_S <= s < seconds[-1]]
    if not steady:
        raise UnavailableError(f"load profile, {name}: too slow to measure in this time")
    return Throughput(
        name=name,
        requests_per_s=statistics.median(steady),
        p50_ms=_percentile(times, 0.5),
        p99_ms=_percentile(times, 0.99),
        requests=sum(times.values()),
        errors=sum(cast("int", entry["num_failures"]) for entry in entries),
        target_requests_per_s=target,
    )


def _percentile(times: dict[float, int], share: float) -> float:
    left = share * sum(times.values())
    for took in sorted(times):
        left -= times[took]
        if left <= 0:
            return took
    return max(times, default=0.0)
