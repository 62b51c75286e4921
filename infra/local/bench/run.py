"""One run of the benchmark."""

from pathlib import Path

import httpx

from functions import composition
from infra.local.bench.batches import batch_figures
from infra.local.bench.calls import (
    Workload,
    call_latencies,
    in_process,
    model_latencies,
    over_http,
    reference_call,
    workload,
)
from infra.local.bench.encodings import encodings_of
from infra.local.bench.fill import PerturbedTexts, fill
from infra.local.bench.intent import intent_latency
from infra.local.bench.load import can_load, run_load
from infra.local.bench.remarks import remarks
from infra.local.bench.report import Figure, Report
from infra.local.bench.run_options import Advanced, BenchOptions, Progress
from infra.local.bench.server_process import server_process
from infra.local.bench.start_up import start_up_figures
from infra.local.bench.texts import real_texts
from infra.local.dispatcher import Dispatcher
from omoide.settings import Settings

REAL_TEXTS = 5_000
WORKERS = 2
_CACHED: dict[str, str] = {}
_UNCACHED = {"OMOIDE_EMBEDDING_CACHE": "0"}


def run_bench(options: BenchOptions, progress: Progress) -> Report:
    """Measure everything, from the model outwards.

    Raises:
        OmoideError: The model is missing, or a request failed.
    """
    data = options.folder / "latency"
    composition.configure(Settings.load(data=data, embedding_cache=0))
    embedder = composition.embedder()
    texts = real_texts(options.evaluation, REAL_TEXTS)
    report = Report(model=f"{embedder.profile.model_id} ({embedder.profile.revision})")
    with progress("model alone", 1) as advanced:
        report.latencies += model_latencies(embedder, texts)
        report.latencies.append(intent_latency(texts))
        advanced(1)
    with progress(f"encoding {len(texts):,} texts", len(texts)) as advanced:
        perturbed = PerturbedTexts(embedder, texts, encodings_of(embedder, texts, advanced))
    work = workload(embedder, texts, runs=2 * len(options.sizes))
    begin = 0
    for run, size in enumerate(options.sizes):
        with progress(f"filling to {size:,}", size - begin) as advanced:
            fill(composition.records(), perturbed, begin=begin, end=size, advanced=advanced)
        with progress(f"calls at {size:,}", 2) as advanced:
            _measure_size(report, data, size, work, run, advanced)
        begin = size
    with progress("batches", 1) as advanced:
        report.figures += batch_figures(embedder, texts)
        advanced(1)
    composition.close()
    with progress("start-up", 1) as advanced:
        report.figures += start_up_figures(data)
        advanced(1)
    if options.with_load and can_load():
        _measure_load(report, options, progress)
    report.remarks += remarks(report, has_load=bool(report.throughputs))
    return report


def _measure_size(
    report: Report, data: Path, size: int, work: Workload, run: int, advanced: Advanced
) -> None:
    reference = reference_call(composition.embedder(), work.queries)
    here = in_process(Dispatcher())
    report.latencies += call_latencies("in-process", size, here, work, 2 * run, reference)
    advanced(1)
    with (
        server_process(data, workers=1, environment=_UNCACHED) as server,
        httpx.Client(base_url=server.url, timeout=30, trust_env=False) as client,
    ):
        there = over_http(client)
        report.latencies += call_latencies("HTTP", size, there, work, 2 * run + 1, reference)
        name = f"server memory, {size:,} memories"
        report.figures.append(Figure(name=name, value=server.resident_mb(), unit="MB"))
    advanced(1)


def _measure_load(report: Report, options: BenchOptions, progress: Progress) -> None:
    runs = (
        ("caches off", {"OMOIDE_EMBEDDING_CACHE": "0"}, 70.0),
        ("embedding cache on", _CACHED, 300.0),
    )
    for number, (name, environment, target) in enumerate(runs):
        data = options.folder / f"load-{number}"
        with (
            progress(f"load profile, {name}", 1) as advanced,
            server_process(data, workers=WORKERS, environment=environment) as server,
        ):
            report.throughputs.append(
                run_load(name, server, target_requests_per_s=target, run_s=options.load_s)
            )
            memory = Figure(
                name=f"memory of {WORKERS} workers after load, {name}",
                value=server.resident_mb(),
                unit="MB",
            )
            report.figures.append(memory)
            advanced(1)
