"""What is timed: the model alone, the whole handler path in this process, and over HTTP."""

import json
from collections.abc import Callable, Sequence
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
_JSON = [("content-type", "application/json")]

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
    where: str, size: int, post: Post, work: Workload, run: int, reference: Callable[[], object]
) -> list[Latency]:
    """Time searches and stores over a folder of a size.

    Args:
        where: ``in-process`` or ``HTTP``.
        size: Memories in the folder.
        post: Sends a request.
        work: Texts; each measurement takes its own share.
        run: Which share.
        reference: What ratios refer to.
    """
    share = slice(run * _CALLS, (run + 1) * _CALLS)
    label = f"{where}, {size:,} memories"
    found = measure(
        f"search, {label}",
        lambda query: post("/v1/memories/search", {"query": query}),
        work.queries[share],
        reference,
    )
    timed = [replace(found, target_p50_ms=_search_target(size), target_p99_ms=_p99_target(size))]
    for tokens, target in ((12, 30.0), (60, 70.0)):
        stored = measure(
            f"store of {tokens} tokens, {label}",
            lambda text: post("/v1/memories", {"content": text}),
            work.stored[tokens][share],
            reference,
        )
        timed.append(replace(stored, target_p50_ms=target))
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


def _search_target(size: int) -> float:
    return 25.0 if size <= 10_000 else 45.0


def _p99_target(size: int) -> float | None:
    return 80.0 if size <= 10_000 else None
