"""What is timed: the model alone, the whole handler path in this process, and over HTTP."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

import httpx

from infra.local.bench.report import Latency, measure
from infra.local.bench.texts import passages, queries
from infra.local.dispatcher import Dispatcher
from omoide.domain.errors import OmoideError
from omoide.ports.embedder import Embedder, Passage

QUERY_TOKENS = 12
STORED_TOKENS = (12, 60)
_CALLS = 220
_FEW = 10_000
_JSON = [("content-type", "application/json")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What medians in milliseconds shall not exceed; None where nothing is promised.

    Attributes:
        search: By the most memories it is promised for.
        search_p99: The 99th percentile up to 10,000 memories.
        stores: By tokens.
    """

    search: Mapping[int, float]
    search_p99: float | None
    stores: Mapping[int, float]

    def search_p50(self, size: int) -> float | None:
        """The target at a number of memories."""
        return next((self.search[most] for most in sorted(self.search) if size <= most), None)


LAPTOP = Targets(search={10_000: 25.0, 100_000: 45.0}, search_p99=80.0, stores={12: 30.0, 60: 70.0})
DEPLOYED = Targets(search={10_000: 60.0}, search_p99=None, stores={60: 90.0})

Post = Callable[[str, dict[str, object]], None]
"""Sends a body to a path; raises unless it succeeded."""

Call = Callable[[str, str, dict[str, object] | None], dict[str, object]]
"""Calls a method of a path, with a query string if any; returns the answer, raises as `Post`."""


class BenchError(OmoideError):
    """A request of the benchmark failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Distinct texts, so that no cache answers.

    Attributes:
        queries: Of 12 tokens.
        stored: Texts by their number of tokens.
    """

    queries: Sequence[str]
    stored: dict[int, Sequence[str]]


def workload(embedder: Embedder, texts: Sequence[str], runs: int) -> Workload:
    """Make the texts of a number of measurements.

    Args:
        embedder: Counts tokens.
        texts: What they are made of.
        runs: How many measurements each need their own.
    """
    return Workload(
        queries=queries(embedder, texts, QUERY_TOKENS, _CALLS * runs),
        stored={n: passages(embedder, texts, n, _CALLS * runs) for n in STORED_TOKENS},
    )


def model_latencies(embedder: Embedder, texts: Sequence[str]) -> list[Latency]:
    """Time the model alone."""

    def store(text: str) -> None:
        embedder.embed_passages([Passage(text=text)])

    found = queries(embedder, texts, QUERY_TOKENS, 120)
    reference = reference_call(embedder, found)
    timed = [measure("model: query of 12 tokens", embedder.embed_query, found, reference)]
    for tokens, count in ((12, 120), (60, 80), (250, 40)):
        name = f"model: passage of {tokens} tokens"
        timed.append(measure(name, store, passages(embedder, texts, tokens, count), reference))
    return timed


def reference_call(embedder: Embedder, texts: Sequence[str]) -> Callable[[], object]:
    """What ratios refer to: the model encodes a query of 12 tokens."""
    found = cycle(texts)
    return lambda: embedder.embed_query(next(found))


def call_latencies(
    where: str,
    size: int,
    post: Post,
    work: Workload,
    run: int,
    reference: Callable[[], object],
    targets: Targets = LAPTOP,
) -> list[Latency]:
    """Time searches and stores over a folder of a size.

    Args:
        where: Such as ``in-process``.
        size: Memories in the folder.
        post: Sends a request.
        work: Texts; each measurement takes its own share.
        run: Which share.
        reference: What ratios refer to.
        targets: What shall be reached.
    """
    share = slice(run * _CALLS, (run + 1) * _CALLS)
    label = f"{where}, {size:,} memories"
    found = measure(
        f"search, {label}",
        lambda query: post("/v1/memories/search", {"query": query}),
        work.queries[share],
        reference,
    )
    tail = targets.search_p99 if size <= _FEW else None
    timed = [replace(found, target_p50_ms=targets.search_p50(size), target_p99_ms=tail)]
    for tokens in STORED_TOKENS:
        stored = measure(
            f"store of {tokens} tokens, {label}",
            lambda text: post("/v1/memories", {"content": text}),
            work.stored[tokens][share],
            reference,
        )
        timed.append(replace(stored, target_p50_ms=targets.stores.get(tokens)))
    return timed


def in_process(dispatcher: Dispatcher) -> Post:
    """Requests to the handlers of this process."""
    call = here(dispatcher)

    def post(path: str, body: dict[str, object]) -> None:
        call("POST", path, body)

    return post


def here(dispatcher: Dispatcher) -> Call:
    """Requests to the handlers of this process, whatever the method."""

    def call(method: str, path: str, body: dict[str, object] | None) -> dict[str, object]:
        given = b"" if body is None else json.dumps(body).encode()
        place, _, query = path.partition("?")
        answer = dispatcher.dispatch(method, place, query, _JSON, given)
        if answer.status >= 300:
            raise BenchError(f"{place} answered {answer.status}: {answer.body.decode()}")
        return json.loads(answer.body) if answer.body else {}

    return call


def over_http(client: httpx.Client) -> Post:
    """Requests over a kept connection."""

    def post(path: str, body: dict[str, object]) -> None:
        answer = client.post(path, json=body)
        if answer.status_code >= 300:
            raise BenchError(f"{path} answered {answer.status_code}: {answer.text}")

    return post
