"""The golden memories, written through the API, are found in one order by every engine.

Embedded is the server of a laptop, OpenSearch the deployed stack, and exact the deployed search
function, unpacked and run by Lambda's runtime client, on the table of the stack without its index.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.local.lambdas.events import call, named
from infra.local.lambdas.unpacked import deploy, set_writable
from tests.contract import golden_ranking
from tests.e2e.running_server import running_server
from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack

Search = Callable[[Mapping[str, Any]], Mapping[str, Any]]

GOLDEN = Path(golden_ranking.__file__).with_name("golden")
BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
SAME = ("session_id", "speaker", "turn", "importance", "pinned", "resolved", "arousal", "valence")
NAMES = {"session": "session_id", "type": "memory_type"}
OPTIONS = ("query", "mode", "profile", "alpha", "current_valence", "top_k")
BATCH = 25


def golden_memories(namespace: str) -> list[dict[str, Any]]:
    lines = (GOLDEN / "memories.jsonl").read_text(encoding="utf-8").splitlines()
    memories: list[dict[str, Any]] = []
    for number, line in enumerate(map(json.loads, lines)):
        told = {NAMES.get(name, name): value for name, value in line.items()}
        at = BEGIN + timedelta(days=told["day"], minutes=told.get("turn", number))
        kept = {name: told[name] for name in (*SAME, "memory_type", "content") if name in told}
        fixed = {"namespace": namespace, "event_time": at.isoformat(), "dedupe": "off"}
        memories.append(kept | fixed)
    return memories


def golden_searches(namespace: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((GOLDEN / "queries.json").read_text(encoding="utf-8"))
    return [search_of(case) | {"namespace": namespace} for case in cases]


def search_of(case: Mapping[str, Any]) -> dict[str, Any]:
    asked = {name: case[name] for name in OPTIONS if name in case}
    filters: dict[str, Any] = case.get("filters", {}) | {"statuses": ["active", "superseded"]}
    for name in ("event_after", "event_before"):
        if f"{name}_day" in filters:
            day = BEGIN + timedelta(days=filters.pop(f"{name}_day"))
            filters[name] = day.isoformat()
    return asked | {"filters": filters}


@pytest.fixture
def exact(tmp_path: Path) -> Iterator[Search]:
    """The deployed search function without an index."""
    deployed = deploy(tmp_path / "deployed")
    settings = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    settings["OMOIDE_TABLE"] = os.environ["OMOIDE_TABLE"]
    operation = named("search_memories")
    function = deployed.function(operation, settings, tmp_path / "exact")

    def search(body: Mapping[str, Any]) -> Mapping[str, Any]:
        outcome = function.invoke(call(operation, body=body))
        assert outcome.payload["statusCode"] == 200, outcome.payload
        return json.loads(outcome.payload["body"])

    yield search
    function.close()
    for root in (deployed.opt, deployed.core, deployed.task):
        set_writable(root, is_writable=True)


def test_three_engines_give_the_golden_memories_in_one_order(
    api: DeployedApi, stack: DeployedStack, exact: Search, tmp_path: Path
) -> None:
    memories, searches = golden_memories(api.namespace), golden_searches(api.namespace)
    in_batches = [memories[start : start + BATCH] for start in range(0, len(memories), BATCH)]
    with running_server(tmp_path / "data") as server:
        for batch in in_batches:
            body = {"memories": batch}
            assert api.ask(200, "POST", "/v1/memories/batch", body)["stored"] == len(batch)
            assert server.post("/v1/memories/batch", body).json()["stored"] == len(batch)
        stack.await_index(api.namespace)

        for search in searches:
            answers = {
                "embedded": server.post("/v1/memories/search", search).json(),
                "exact": exact(search),
                "opensearch": api.ask(200, "POST", "/v1/memories/search", search),
            }
            assert not any(answer["degraded"] for answer in answers.values())
            orders = {engine: order_of(answer["results"]) for engine, answer in answers.items()}
            assert orders["exact"] == orders["embedded"], search
            assert orders["opensearch"] == orders["embedded"], search
            assert orders["embedded"] or "filters" in search


def order_of(results: Sequence[Mapping[str, Any]]) -> list[str]:
    return [one["content"] for one in results]
