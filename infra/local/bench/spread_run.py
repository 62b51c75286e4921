"""Measuring a folder of many namespaces: `omoide bench --spread`."""

import random
from collections.abc import Callable, Sequence
from time import perf_counter

from functions import composition
from infra.local.bench.calls import (
    QUERY_TOKENS,
    BenchError,
    Call,
    here,
    in_process,
    model_latencies,
    reference_call,
)
from infra.local.bench.disk import disk_figures
from infra.local.bench.encodings import encodings_of
from infra.local.bench.fill import SEED, PerturbedTexts, fill
from infra.local.bench.report import Figure, Latency, Report, measure
from infra.local.bench.run_options import BenchOptions, Progress
from infra.local.bench.spread import SMALL_SIZE, Spread, fill_spread
from infra.local.bench.spread_server import server_figures
from infra.local.bench.texts import queries, real_texts
from infra.local.bench.write_stalls import write_stalls
from infra.local.dispatcher import Dispatcher
from omoide.adapters.embedded import EmbeddedFolder
from omoide.ports.embedder import Embedder
from omoide.settings import Settings

REAL_TEXTS = 5_000
_CALLS = 220
_HOT = 20
"""Small namespaces that are searched again and again."""

_MOST_TIMES_FEW = 3.0
"""By so much may the median grow from 1,000 memories to all of them."""


def run_spread(options: BenchOptions, progress: Progress) -> Report:
    """Measure folders of one large and many small namespaces.

    Raises:
        OmoideError: The model is missing, or a request failed.
    """
    composition.configure(Settings.load(data=options.folder / "few", embedding_cache=0))
    embedder = composition.embedder()
    report = Report(model=f"{embedder.profile.model_id} ({embedder.profile.revision})")
    real = real_texts(options.evaluation, REAL_TEXTS)
    with progress(f"encoding {len(real):,} texts", len(real)) as advanced:
        texts = PerturbedTexts(embedder, real, encodings_of(embedder, real, advanced))
    asked = queries(embedder, real, QUERY_TOKENS, 4 * _CALLS)
    with progress("model alone", 1) as advanced:
        report.latencies += model_latencies(embedder, real)
        advanced(1)
    with progress(f"{SMALL_SIZE:,} memories alone", 1) as advanced:
        few = _few(embedder, texts, asked[:_CALLS])
        report.latencies.append(few)
        advanced(1)
    for total in options.sizes:
        spread = Spread(total)
        data = options.folder / f"spread-{total}"
        composition.configure(Settings.load(data=data, embedding_cache=0))
        _fill(report, texts, spread, progress)
        with progress(f"calls at {total:,}", 1) as advanced:
            report.latencies += _searches(embedder, spread, asked[_CALLS:])
            report.latencies += _other_calls(spread)
            advanced(1)
        report.figures += _growth(few, report.latencies, total)
        with progress("writes while merging", 1) as advanced:
            _measure_writes(report, texts, spread)
            advanced(1)
        composition.close()
        report.figures += disk_figures(data)
        with progress("server", 1) as advanced:
            report.figures += server_figures(data, spread, asked[0])
            advanced(1)
    return report


def _few(embedder: Embedder, texts: PerturbedTexts, asked: Sequence[str]) -> Latency:
    records = composition.records()
    there = records.count("default")
    fill(records, texts, begin=there, end=SMALL_SIZE, advanced=lambda _: None)
    return _search(f"{SMALL_SIZE:,} memories alone", embedder, asked, lambda _: "default")


def _fill(report: Report, texts: PerturbedTexts, spread: Spread, progress: Progress) -> None:
    with progress(f"filling to {spread.total:,}", spread.total) as advanced:
        began = perf_counter()
        filled = fill_spread(composition.records(), texts, spread, advanced)
        took_s = perf_counter() - began
    if filled:
        rate = filled / took_s
        name = f"committed below the model, 500 together, to {spread.total:,}"
        report.figures.append(Figure(name=name, value=rate, unit="memories/s"))


def _searches(embedder: Embedder, spread: Spread, asked: Sequence[str]) -> list[Latency]:
    names = [share.namespace for share in spread.small]
    random.Random(SEED).shuffle(names)  # noqa: S311 - the same order in each run
    hot, cold = names[:_HOT], names[_HOT:] or names
    total = f"{spread.total:,} memories"
    asked_cold = asked[2 * _CALLS : 3 * _CALLS]

    def cold_at(number: int) -> str:
        return cold[number % len(cold)]

    first = [
        _search(f"large namespace of {total}", embedder, asked[:_CALLS], lambda _: "default"),
        _search(
            f"small, just searched, of {total}",
            embedder,
            asked[_CALLS : 2 * _CALLS],
            lambda number: hot[number % len(hot)],
        ),
        _search(f"small, not yet searched, of {total}", embedder, asked_cold, cold_at),
    ]
    # What did not stay in memory is read again, and gets files of its own.
    _search("again", embedder, asked_cold, cold_at)
    later = _search(f"small, searched before others, of {total}", embedder, asked_cold, cold_at)
    return [*first, later]


def _search(
    name: str, embedder: Embedder, asked: Sequence[str], namespace_of: Callable[[int], str]
) -> Latency:
    post = in_process(Dispatcher())
    bodies: list[dict[str, object]] = [
        {"query": query, "namespace": namespace_of(number)} for number, query in enumerate(asked)
    ]
    return measure(
        f"search, {name}",
        lambda body: post("/v1/memories/search", body),
        bodies,
        reference_call(embedder, asked),
    )


def _other_calls(spread: Spread) -> list[Latency]:
    call = here(Dispatcher())
    small = [share.namespace for share in spread.small]
    of = f"of {spread.total:,} memories"
    numbers = range(_CALLS)
    stored = [_store(call, number) for number in numbers]
    listing: list[tuple[str, str]] = [
        ("list, large namespace", "namespace=default&limit=20"),
        ("list by a tag, large namespace", "namespace=default&limit=20&tag=tag36"),
    ]
    timed = [
        measure(
            f"{name} {of}",
            lambda number, query=query: call("GET", f"/v1/memories?{query}", None),
            numbers,
        )
        for name, query in listing
    ]
    timed.append(
        measure(
            f"count, any namespace {of}",
            lambda number: call(
                "GET", f"/v1/memories/count?namespace={small[number % len(small)]}", None
            ),
            numbers,
        )
    )
    timed.append(
        measure(
            f"delete, large namespace {of}",
            lambda memory_id: call("DELETE", f"/v1/memories/{memory_id}", None),
            stored,
        )
    )
    return timed


def _store(call: Call, number: int) -> str:
    body: dict[str, object] = {"content": f"to be deleted: {number}", "namespace": "default"}
    stored = call("POST", "/v1/memories", body)
    return str(stored["id"])


def _growth(few: Latency, latencies: Sequence[Latency], total: int) -> list[Figure]:
    return [
        Figure(
            name=f"{one.name}: median over that of {SMALL_SIZE:,} alone",
            value=one.p50_ms / few.p50_ms,
            unit=f"x (<= {_MOST_TIMES_FEW:.0f})",
        )
        for one in latencies
        if one.name.startswith("search") and one.name.endswith(f"of {total:,} memories")
    ]


def _measure_writes(report: Report, texts: PerturbedTexts, spread: Spread) -> None:
    folder = composition.folder()
    if not isinstance(folder, EmbeddedFolder):
        raise BenchError("the benchmark needs a data folder of its own")
    latencies, figures = write_stalls(folder, texts, spread.large.namespace)
    report.latencies += latencies
    report.figures += figures
