"""memex's rate limits of an agent, which a setting switches on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.memex_client import assert_error, count, pair, search, store
from tests.e2e.running_server import RunningServer, running_server


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with memex's limits of an agent."""
    data: Path = tmp_path_factory.mktemp("limited") / "data"
    limits = {"OMOIDE_AGENT_WRITES_PER_MINUTE": "3", "OMOIDE_AGENT_SEARCHES_PER_MINUTE": "4"}
    with running_server(data, environment=limits) as running:
        yield running


def test_an_agent_over_its_limit_gets_429_with_the_count_and_a_time(
    limited: RunningServer,
) -> None:
    who = pair()
    for number in range(3):
        store(limited, who, f"Within the limit {number}.")

    over = limited.post("/v1/memories", {**who, "content": "One too many."})
    other = limited.post("/v1/memories", {**pair(), "content": "Another agent."})

    assert_error(over, 429)
    assert "3" in over.json()["detail"]
    assert 1 <= int(over.headers["Retry-After"]) <= 60
    assert other.status_code == 201
    assert count(limited, who)["count"] == 3


def test_searches_are_limited_apart_from_writes(limited: RunningServer) -> None:
    who = pair()
    for _ in range(4):
        search(limited, who, "anything")

    over = limited.post("/v1/memories/search", {**who, "query": "anything"})

    assert_error(over, 429)
    assert store(limited, who, "Still writing.")
