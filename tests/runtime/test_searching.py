"""Searching without an index, in both meanings: none is there, and the one there is is silent."""

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.local.lambdas.events import call, named
from infra.local.lambdas.runtime_api import LambdaFunction
from infra.local.lambdas.unpacked import Deployed

RESIDENT_MB = 512
EXACT = {"OMOIDE_OPENSEARCH_URL": ""}
PLACE = {"namespace": "team/searching"}

Start = Callable[[str, dict[str, str]], LambdaFunction]


@pytest.fixture
def start(deployed: Deployed, aws: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Starts instances of functions and ends them."""
    started: list[LambdaFunction] = []

    def one(name: str, settings: dict[str, str]) -> LambdaFunction:
        scratch = tmp_path / f"{name}{len(started)}"
        started.append(deployed.function(named(name), aws | settings, scratch, timeout_s=60))
        return started[-1]

    yield one
    for function in started:
        function.close()


def answer(function: LambdaFunction, name: str, body: dict[str, Any]) -> dict[str, Any]:
    outcome = function.invoke(call(named(name), body=PLACE | body))
    assert not outcome.failed, outcome.payload
    assert outcome.payload["statusCode"] < 300, outcome.payload
    return json.loads(outcome.payload["body"])


def found(function: LambdaFunction, query: str) -> tuple[list[str], bool]:
    told = answer(function, "search_memories", {"query": query})
    return [one["content"] for one in told["results"]], told["degraded"]


def test_without_an_index_each_instance_sees_what_the_others_write(start: Start) -> None:
    store = start("store_memory", EXACT)
    first, second = start("search_memories", EXACT), start("search_memories", EXACT)
    answer(store, "store_memory", {"content": "The safe is behind the clock."})
    before = [found(one, "where is the safe") for one in (first, second)]

    answer(store, "store_memory", {"content": "The ladder is in the barn."})
    after = [found(one, "where is the ladder") for one in (first, second)]

    assert before == [(["The safe is behind the clock."], False)] * 2
    assert [(contents[0], degraded) for contents, degraded in after] == [
        ("The ladder is in the barn.", False)
    ] * 2
    assert first.resident_mb < RESIDENT_MB


def test_an_index_that_accepts_and_never_answers_holds_up_neither_search_nor_store(
    start: Start,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        silent = {"OMOIDE_OPENSEARCH_URL": f"http://127.0.0.1:{deaf.getsockname()[1]}"}
        store, search = start("store_memory", silent), start("search_memories", silent)
        answer(store, "store_memory", {"content": "The boat is called Odile."})
        contents, degraded = found(search, "what is the boat called")

    assert contents[0] == "The boat is called Odile."
    assert degraded
