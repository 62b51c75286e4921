"""What a run of the benchmark found."""

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from time import perf_counter
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def machine() -> str:
    """What the benchmark runs on."""
    system = f"{platform.system()} {platform.machine()}"
    return f"{os.cpu_count()} cores, {system}, Python {platform.python_version()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Times of one kind of call.

    Attributes:
        name: What was called.
        count: How often.
        p50_ms: Median.
        p99_ms: 99th percentile.
        ratio: Median over the model's own median for a query of 12 tokens, measured in turns with
            these calls, so that other work on the machine slows both.
        target_p50_ms: What the median shall not exceed; None without a target.
        target_p99_ms: What the 99th percentile shall not exceed.
    """

    name: str
    count: int
    p50_ms: float
    p99_ms: float
    ratio: float | None = None
    target_p50_ms: float | None = None
    target_p99_ms: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether every target holds."""
        p50 = self.target_p50_ms is None or self.p50_ms <= self.target_p50_ms
        p99 = self.target_p99_ms is None or self.p99_ms <= self.target_p99_ms
        return p50 and p99


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """One run of the load profile.

    Attributes:
        name: Which run.
        requests_per_s: Median over the full seconds after all users had started.
        p50_ms: Median time of a request, as the load generator saw it.
        p99_ms: 99th percentile.
        requests: Number of requests.
        errors: Number of failed ones.
        target_requests_per_s: What shall be reached.
    """

    name: str
    requests_per_s: float
    p50_ms: float
    p99_ms: float
    requests: int
    errors: int
    target_requests_per_s: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether the target holds, without errors."""
        return self.errors == 0 and self.requests_per_s >= (self.target_requests_per_s or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A single number with its unit."""

    name: str
    value: float
    unit: str


@dataclass(slots=True, kw_only=True)
class Report:
    """Everything a run found, in the order it was measured.

    Attributes:
        model: The embedding model.
        machine: What it ran on.
        latencies: Times of calls.
        throughputs: Runs of the load profile.
        figures: Start-up, memory, sizes.
        remarks: How to read the numbers, and what limits them.
    """

    model: str
    machine: str = field(default_factory=machine)
    latencies: list[Latency] = field(default_factory=list[Latency])
    throughputs: list[Throughput] = field(default_factory=list[Throughput])
    figures: list[Figure] = field(default_factory=list[Figure])
    remarks: list[str] = field(default_factory=list[str])

    def as_json(self) -> dict[str, object]:
        """The report as JSON values."""
        return asdict(self)

    def table(self) -> str:
        """The report for a terminal."""
        lines = [f"model {self.model}, {self.machine}", ""]
        lines.append(f"{'latency':54}{'p50 ms':>9}{'p99 ms':>9}{'x model':>9}  target")
        for one in self.latencies:
            ratio = f"{one.ratio:9.2f}" if one.ratio is not None else " " * 9
            row = f"{one.name:54}{one.p50_ms:9.1f}{one.p99_ms:9.1f}{ratio}"
            lines.append(f"{row}  {_latency_target(one)}".rstrip())
        if self.throughputs:
            lines += ["", f"{'load profile':54}{'p50 ms':>9}{'p99 ms':>9}{'req/s':>9}  target"]
        for run in self.throughputs:
            row = f"{run.name:54}{run.p50_ms:9.0f}{run.p99_ms:9.0f}{run.requests_per_s:9.0f}"
            lines.append(f"{row}  {_throughput_target(run)}".rstrip())
        lines += ["", *(f"{f.name:54}{f.value:9.1f} {f.unit}" for f in self.figures)]
        return "\n".join([*lines, "", *self.remarks])


def measure(
    name: str,
    call: Callable[[T], object],
    items: Sequence[T],
    reference: Callable[[], object] | None = None,
) -> Latency:
    """Time a call on each item, one after the other.

    Args:
        name: What is called.
        call: Called with one item.
        items: Distinct, so that no cache answers; the first tenth warms up and is not counted.
        reference: Called in turns with it, for the ratio.
    """
    warm = max(1, len(items) // 10)
    took: list[float] = []
    reference_took: list[float] = []
    for item in items:
        took.append(_timed(call, item))
        if reference is not None:
            reference_took.append(_timed(lambda _: reference(), item))
    timed = latency(name, took[warm:])
    if reference is None:
        return timed
    return replace(timed, ratio=timed.p50_ms / float(np.median(reference_took[warm:])))


def latency(name: str, took_ms: Iterable[float]) -> Latency:
    """Summarise times in milliseconds."""
    values = np.fromiter(took_ms, dtype=np.float64)
    p50, p99 = np.percentile(values, [50, 99])
    return Latency(name=name, count=len(values), p50_ms=float(p50), p99_ms=float(p99))


def _timed(call: Callable[[T], object], item: T) -> float:
    began = perf_counter()
    call(item)
    return (perf_counter() - began) * 1000


def _latency_target(one: Latency) -> str:
    if one.target_p50_ms is None:
        return ""
    limits = f"<= {one.target_p50_ms:.0f}"
    limits += f" / {one.target_p99_ms:.0f}" if one.target_p99_ms is not None else ""
    return f"{limits} {'met' if one.is_met else 'MISSED'}"


def _throughput_target(run: Throughput) -> str:
    told = f"{run.errors} errors"
    if run.target_requests_per_s is None:
        return told
    verdict = "met" if run.is_met else "MISSED"
    return f">= {run.target_requests_per_s:.0f} {verdict}, {told}"
