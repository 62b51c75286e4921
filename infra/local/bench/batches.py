"""Storing many texts: one by one, and in batches."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import cast

from infra.local.bench.calls import STORED_TOKENS, BenchError, Call, here
from infra.local.bench.report import Figure
from infra.local.bench.texts import passages
from infra.local.dispatcher import Dispatcher
from omoide.ports.embedder import Embedder

BATCH = 50
_BATCHES = 4
_ROUNDS = 2
_SERIES = 1
"""Of the texts: others than those that single stores are timed with."""


def batch_figures(embedder: Embedder, texts: Sequence[str]) -> list[Figure]:
    """Texts stored a second, one by one and in batches of 50, through the handlers.

    The two are measured in turns, so that other work on the machine slows both.

    Args:
        embedder: Counts tokens.
        texts: What the stored texts are made of.
    """
    call = here(Dispatcher())
    figures: list[Figure] = []
    for tokens in STORED_TOKENS:
        contents = passages(embedder, texts, tokens, 2 * BATCH * _BATCHES * _ROUNDS, series=_SERIES)
        single_s = batch_s = 0.0
        for _ in range(_ROUNDS * _BATCHES):
            one_by_one, contents = contents[:BATCH], contents[BATCH:]
            together, contents = contents[:BATCH], contents[BATCH:]
            single_s += _took_s(lambda given=one_by_one: _one_by_one(call, given))
            batch_s += _took_s(lambda given=together: _together(call, given))
        name = f"stores of {tokens} tokens"
        stored = BATCH * _BATCHES * _ROUNDS
        figures += [
            Figure(name=f"{name}, one by one", value=stored / single_s, unit="/s"),
            Figure(
                name=f"{name}, {BATCH} together",
                value=stored / batch_s,
                unit=f"/s, x {single_s / batch_s:.2f}",
            ),
        ]
    return figures


def _one_by_one(call: Call, contents: Sequence[str]) -> None:
    for content in contents:
        _require_new(call("POST", "/v1/memories", {"content": content}))


def _together(call: Call, contents: Sequence[str]) -> None:
    memories = [{"content": content} for content in contents]
    answer = call("POST", "/v1/memories/batch", {"memories": memories})
    for result in cast("list[dict[str, dict[str, object]]]", answer["results"]):
        _require_new(result["memory"])


def _require_new(memory: Mapping[str, object]) -> None:
    """Refuse to time what was there already: it costs no run of the model."""
    if memory["outcome"] != "created":
        raise BenchError("a text of the benchmark was stored before")


def _took_s(call: Callable[[], None]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began
