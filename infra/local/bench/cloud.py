"""The benchmark of what is deployed: the packaged functions under Lambda's runtime client.

They talk to a real OpenSearch node and to a table on the emulator, whose Query is made to seek as
DynamoDB's does (`infra.local.bench.seeking_table`); a few calls to the emulator as it is released
tell what that makes. No network is between them, and all of them share the machine.
"""

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from functions import composition
from functions.composition.background import followed_folder
from infra.local.bench.calls import (
    DEPLOYED,
    BenchError,
    Post,
    Workload,
    call_latencies,
    model_latencies,
    reference_call,
    workload,
)
from infra.local.bench.cloud_services import TABLE_NAME, running_services
from infra.local.bench.encodings import encodings_of
from infra.local.bench.fill import PerturbedTexts, fill
from infra.local.bench.report import Figure, Report, latency
from infra.local.bench.texts import real_texts
from infra.local.lambdas.events import call, named
from infra.local.lambdas.runtime_api import LambdaFunction
from infra.local.lambdas.unpacked import Deployed, deploy, set_writable
from omoide.adapters.dynamodb.folder import DynamoTable
from omoide.ports.embedder import Embedder
from omoide.settings import Settings

REAL_TEXTS = 5_000
TOGETHER = 10
"""Memories to a transaction: more do not fit."""

_AT_ONCE = 500
_AS_RELEASED = 5
_READS = 20
_TIMEOUT_S = 120.0
"""Longer than deployed: the emulator reads slowly."""

_NAMESPACE = "default"
_OPERATIONS = {"/v1/memories/search": "search_memories", "/v1/memories": "store_memory"}
_UNCACHED = {"OMOIDE_EMBEDDING_CACHE": "0"}

Advanced = Callable[[int], None]
Progress = Callable[[str, int], AbstractContextManager[Advanced]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudOptions:
    """What to measure.

    Attributes:
        folder: An empty folder for everything the run stores.
        sizes: Numbers of memories, ascending.
        evaluation: Folder with LoCoMo conversations to take texts from; None takes the project's.
        has_index: Whether searches go to OpenSearch; otherwise they are exact.
    """

    folder: Path
    sizes: Sequence[int]
    evaluation: Path | None
    has_index: bool


class Functions:
    """The functions of the benchmark, each a process.

    Attributes:
        degraded_count: Searches that had to do without the index.

    Args:
        deployed: What they are made of.
        settings: Variables that deployment gives to them.
        folder: Takes their logs.
    """

    def __init__(self, deployed: Deployed, settings: Mapping[str, str], folder: Path) -> None:
        self.degraded_count = 0
        self._made = {
            name: deployed.function(
                named(name), {**settings, **_UNCACHED}, folder / name, timeout_s=_TIMEOUT_S
            )
            for name in _OPERATIONS.values()
        }

    @property
    def search(self) -> LambdaFunction:
        """The function that searches."""
        return self._made["search_memories"]

    def post(self, path: str, body: dict[str, object]) -> None:
        """Invoke the function of a path; implements `Post`.

        Raises:
            BenchError: It did not succeed.
        """
        name = _OPERATIONS[path]
        outcome = self._made[name].invoke(call(named(name), body=body))
        if outcome.failed or outcome.payload["statusCode"] >= 300:
            raise BenchError(f"{name} answered {outcome.payload}")
        self.degraded_count += bool(json.loads(outcome.payload["body"]).get("degraded"))

    def close(self) -> None:
        """End them."""
        for function in self._made.values():
            function.close()


def run_cloud_bench(options: CloudOptions, progress: Progress) -> Report:
    """Measure everything.

    Raises:
        OmoideError: The model is missing, or a request failed.
        EmulatorError: The emulator does not start.
        NodeError: The node does not start.
    """
    with ExitStack() as stack:
        services = stack.enter_context(
            running_services(options.folder, has_index=options.has_index)
        )
        composition.configure(_settings(services.settings))
        stack.callback(composition.close)
        deployed = deploy(options.folder / "deployed")
        stack.callback(set_writable, options.folder / "deployed", is_writable=True)
        embedder = composition.embedder()
        texts = real_texts(options.evaluation, REAL_TEXTS)
        report = Report(model=f"{embedder.profile.model_id} ({embedder.profile.revision})")
        with progress("model alone", 1) as advanced:
            report.latencies += model_latencies(embedder, texts)
            advanced(1)
        work = workload(embedder, texts, runs=len(options.sizes))
        for run, size in _filled(options, embedder, texts, progress):
            folder = options.folder / f"run-{size}"
            functions = stack.enter_context(_functions(deployed, services.settings, folder))
            with progress(f"calls at {size:,}", 1) as advanced:
                _measure(report, functions, size, work, run)
                advanced(1)
            _index_everything()
            if size == options.sizes[-1]:
                services.go_on_as_released()
                _measure_released(report, functions, size, work)
    report.remarks += _REMARKS
    return report


@contextmanager
def _functions(
    deployed: Deployed, settings: Mapping[str, str], folder: Path
) -> Generator[Functions, None, None]:
    functions = Functions(deployed, settings, folder)
    try:
        yield functions
    finally:
        functions.close()


def _settings(variables: Mapping[str, str]) -> Settings:
    return Settings.load(
        table=TABLE_NAME,
        opensearch_url=variables.get("OMOIDE_OPENSEARCH_URL", ""),
        dead_letters=variables["OMOIDE_DEAD_LETTERS"],
        embedding_cache=0,
    )


def _filled(
    options: CloudOptions, embedder: Embedder, texts: Sequence[str], progress: Progress
) -> Iterator[tuple[int, int]]:
    """Number and size of each run, once the table is filled and indexed for it."""
    with progress(f"encoding {len(texts):,} texts", len(texts)) as advanced:
        perturbed = PerturbedTexts(embedder, texts, encodings_of(embedder, texts, advanced))
    begin = 0
    for run, size in enumerate(options.sizes):
        with progress(f"filling to {size:,}", size - begin) as advanced:
            fill(
                composition.records(),
                perturbed,
                begin=begin,
                end=size,
                advanced=advanced,
                together=TOGETHER,
            )
        with progress(f"indexing to {size:,}", 1) as advanced:
            _index_everything()
            advanced(1)
        yield run, size
        begin = size


def _index_everything() -> None:
    """Do what the stream and the clock do meanwhile: nothing stays pending.

    Without an index what is pending is cleared after half an hour; here it is at once.
    """
    followed = followed_folder()
    table = DynamoTable(TABLE_NAME, clock=composition.clock(), entropy=composition.entropy())
    while writes := table.pending.of_namespace(_NAMESPACE, _AT_ONCE).writes:
        if composition.settings().opensearch_url:
            followed.writer.write(followed.source.read([write.memory for write in writes]))
        table.pending.clear(writes)


def _measure(report: Report, functions: Functions, size: int, work: Workload, run: int) -> None:
    first = _timed(functions.post, work.queries[run])
    report.figures.append(
        Figure(name=f"first search of a new instance, {size:,} memories", value=first, unit="ms")
    )
    reference = reference_call(composition.embedder(), work.queries)
    report.latencies += call_latencies(
        "deployed", size, functions.post, work, run, reference, DEPLOYED
    )
    degraded = Figure(
        name=f"searches without the index, {size:,} memories",
        value=functions.degraded_count,
        unit="",
    )
    report.figures.append(degraded)
    memory = functions.search.resident_mb
    report.figures.append(
        Figure(name=f"memory of the search function, {size:,} memories", value=memory, unit="MB")
    )
    took = [_read_once(work.queries[0]) for _ in range(_READS)]
    report.figures.append(
        Figure(name="one consistent read of the emulated table", value=min(took), unit="ms")
    )


def _measure_released(report: Report, functions: Functions, size: int, work: Workload) -> None:
    """The same on the emulator as it is released; few calls, for they are slow."""
    took = [_timed(functions.post, query) for query in work.queries[:_AS_RELEASED]]
    name = f"search, {size:,} memories, emulator as released"
    report.latencies.append(latency(name, took[1:]))


def _timed(post: Post, query: str) -> float:
    began = time.perf_counter()
    post("/v1/memories/search", {"query": query})
    return (time.perf_counter() - began) * 1_000


def _read_once(fingerprint: str) -> float:
    began = time.perf_counter()
    composition.records().find_fingerprint(_NAMESPACE, fingerprint)
    return (time.perf_counter() - began) * 1_000


_REMARKS = [
    "The packaged functions, each a process under Lambda's runtime client, on this machine, as are",
    "a real OpenSearch node (where there is one) and the table, which is emulated; its Query seeks",
    "as DynamoDB's does but in the last line. Memories beyond the stored texts are committed below",
    "the embedder; queries are new ones, encoded by the model; caches of embeddings are off.",
    "Between a function and AWS's services lies a network that is not here: a search makes about",
    "seven requests one after the other, a store about eight.",
]
