"""Reported faults of other memories: keys that open more than they should."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_server import RunningServer, create_key, running_server

A, B = ({"agent_id": "a", "user_id": name} for name in ("a", "b"))


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that requires keys."""
    data: Path = tmp_path_factory.mktemp("closed") / "data"
    with running_server(data, "--require-key") as running:
        yield running


@pytest.fixture(scope="module")
def key_of_a(closed: RunningServer) -> str:
    """A key for the memories of user a."""
    space = "agent/a/user/a"
    return create_key(closed.data, f"write:{space}/**", namespace=space)


def test_case_17_no_key_no_answer(closed: RunningServer) -> None:
    answers = [
        closed.post("/v1/memories", {**A, "content": "x"}),
        closed.post("/v1/memories/search", {**A, "query": "x"}),
        closed.get("/v1/memories/count", **A),
        closed.get("/v1/memories"),
    ]

    assert [answer.status_code for answer in answers] == [401] * 4
    assert all(answer.headers["WWW-Authenticate"] == "Bearer" for answer in answers)


def test_case_17_a_key_of_a_is_not_a_key_of_b_whatever_the_body_says(
    closed: RunningServer, key_of_a: str
) -> None:
    mine = closed.post("/v1/memories", {**A, "content": "x"}, key_of_a)
    answers = [
        closed.post("/v1/memories", {**B, "content": "x"}, key_of_a),
        closed.post("/v1/memories/search", {**B, "query": "x"}, key_of_a),
        closed.get("/v1/memories/count", key_of_a, **B),
    ]

    assert mine.status_code == 201
    assert [answer.status_code for answer in answers] == [403] * 3


def test_case_17_a_filter_never_reaches_beyond_the_namespace(
    closed: RunningServer, key_of_a: str
) -> None:
    admin = create_key(closed.data, "admin:**")
    closed.post("/v1/memories", {**B, "content": "Only b knows."}, admin)

    by_user = closed.get("/v1/memories", key_of_a, user_id="b", namespace="agent/a/user/a")
    by_agent = closed.search("Only b knows.", key_of_a, filters={"agent_id": "a"})

    assert "Only b knows." not in by_user.text
    assert "Only b knows." not in [result["content"] for result in by_agent["results"]]
