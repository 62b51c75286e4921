"""Clients written for memex work unchanged: its shapes, codes and limits, field by field."""

import math
import uuid
from datetime import UTC, datetime

import pytest

from tests.e2e.memex_client import assert_error, count, pair, search, store
from tests.e2e.running_server import Json, RunningServer

MEMORY_FIELDS = {
    "id",
    "agent_id",
    "user_id",
    "content",
    "importance",
    "memory_type",
    "created_at",
    "score",
}


def test_a_stored_memory_has_exactly_memexs_fields_and_defaults(server: RunningServer) -> None:
    who = pair()

    memory = store(server, who, "The user prefers concise responses.")

    assert set(memory) == MEMORY_FIELDS
    assert uuid.UUID(memory["id"])
    assert {name: memory[name] for name in who} == who
    assert memory["content"] == "The user prefers concise responses."
    assert memory["importance"] == 1.0
    assert memory["memory_type"] == "episodic"
    assert memory["score"] is None
    age = datetime.now(UTC) - datetime.fromisoformat(memory["created_at"])
    assert abs(age.total_seconds()) < 60


@pytest.mark.parametrize("importance", [0, 0.25, 1.5, 2])
@pytest.mark.parametrize("memory_type", ["episodic", "semantic", "procedural"])
def test_importance_and_type_come_back_as_they_went_in(
    server: RunningServer, importance: float, memory_type: str
) -> None:
    who = pair()

    stored = store(server, who, "A memory.", importance=importance, memory_type=memory_type)
    found = search(server, who, "A memory.")["results"][0]

    assert (stored["importance"], stored["memory_type"]) == (importance, memory_type)
    assert (found["importance"], found["memory_type"]) == (importance, memory_type)


def test_the_same_text_twice_is_two_memories_and_both_are_201(server: RunningServer) -> None:
    who = pair()

    first, second = (store(server, who, "Said twice.") for _ in range(2))

    assert first["id"] != second["id"]
    assert count(server, who) == {**who, "count": 2}


def test_a_search_answers_in_memexs_words(server: RunningServer) -> None:
    who = pair()
    for number in range(3):
        store(server, who, f"Memory number {number} about PostgreSQL pools.")

    found = search(server, who, "connection pools", top_k=2)

    assert set(found) == {"results", "query", "total"}
    assert (found["query"], found["total"], len(found["results"])) == ("connection pools", 2, 2)
    for result in found["results"]:
        assert set(result) == MEMORY_FIELDS
        assert result["score"] == round(result["score"], 4)
    scores = [result["score"] for result in found["results"]]
    assert scores == sorted(scores, reverse=True)


def test_top_k_is_ten_unless_said(server: RunningServer) -> None:
    who = pair()
    for number in range(12):
        store(server, who, f"Note {number} on the harbour.")

    assert search(server, who, "harbour notes")["total"] == 10
    assert search(server, who, "harbour notes", top_k=50)["total"] == 12


def test_alpha_zero_returns_the_newest_first_however_dissimilar(server: RunningServer) -> None:
    who = pair()
    stored = [store(server, who, f"Coffee and cake, visit {n}.")["id"] for n in range(5)]
    newest = store(server, who, "Quantum chromodynamics on a lattice.")["id"]

    found = search(server, who, "Coffee and cake", alpha=0, top_k=3)

    assert [r["id"] for r in found["results"]] == [newest, stored[4], stored[3]]
    assert all(math.isclose(r["score"], 1, abs_tol=0.001) for r in found["results"])


def test_alpha_one_orders_by_likeness_alone(server: RunningServer) -> None:
    who = pair()
    match = store(server, who, "The cat sleeps on the warm keyboard.")["id"]
    store(server, who, "Interest rates rose by a quarter of a point.")

    found = search(server, who, "Where does the cat sleep?", alpha=1)

    assert found["results"][0]["id"] == match


def test_a_search_may_be_narrowed_to_a_type(server: RunningServer) -> None:
    who = pair()
    store(server, who, "An episode about tea.", memory_type="episodic")
    kept = store(server, who, "A fact about tea.", memory_type="semantic")

    found = search(server, who, "tea", memory_type="semantic")

    assert [r["id"] for r in found["results"]] == [kept["id"]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": "a" * 8_001}, "content"),
        ({"content": "x", "importance": 2.01}, "importance"),
        ({"content": "x", "importance": -0.1}, "importance"),
        ({"content": "x", "memory_type": "prospective"}, "memory_type"),
        ({"content": "x", "agent_id": ""}, "agent_id"),
        ({"content": "x", "user_id": "u" * 129}, "user_id"),
        ({}, "content"),
    ],
)
def test_what_memex_refuses_to_store_is_a_422(
    server: RunningServer, body: Json, field: str
) -> None:
    answer = server.post("/v1/memories", {**pair(), **body})

    assert_error(answer, 422)
    assert answer.json()["error"]["details"][0]["field"] == field


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "q" * 2_001}, "query"),
        ({"query": "q", "top_k": 0}, "top_k"),
        ({"query": "q", "top_k": 51}, "top_k"),
        ({"query": "q", "alpha": 1.1}, "alpha"),
        ({"query": "q", "alpha": -0.1}, "alpha"),
        ({"query": "q", "memory_type": "imaginary"}, "memory_type"),
    ],
)
def test_what_memex_refuses_to_search_is_a_422(
    server: RunningServer, body: Json, field: str
) -> None:
    answer = server.post("/v1/memories/search", {**pair(), **body})

    assert_error(answer, 422)
    assert answer.json()["error"]["details"][0]["field"] == field


def test_limits_are_memexs_own(server: RunningServer) -> None:
    who = {"agent_id": "a" * 128, "user_id": "u" * 128}

    memory = store(server, who, "c" * 8_000)

    assert len(memory["content"]) == 8_000
    assert search(server, who, "q" * 2_000, top_k=50)["total"] == 1


def test_fields_that_memex_ignores_are_ignored(server: RunningServer) -> None:
    assert set(store(server, pair(), "x", session="s", tags=["t"])) == MEMORY_FIELDS


def test_a_memory_is_deleted_by_its_agent_alone(server: RunningServer) -> None:
    who = pair()
    path = f"/v1/memories/{store(server, who, 'Short-lived.')['id']}"

    foreign = server.http.delete(path, params={"agent_id": "another"})
    first = server.http.delete(path, params={"agent_id": who["agent_id"]})
    again = server.http.delete(path, params={"agent_id": who["agent_id"]})

    assert_error(foreign, 404)
    assert (first.status_code, first.content) == (204, b"")
    assert_error(again, 404)
    assert count(server, who)["count"] == 0


def test_an_id_that_is_no_uuid_is_a_422(server: RunningServer) -> None:
    assert_error(server.http.delete("/v1/memories/42", params={"agent_id": "a"}), 422)


def test_a_count_needs_both_agent_and_user(server: RunningServer) -> None:
    assert server.get("/v1/memories/count", agent_id="a").status_code == 422
    assert server.get("/v1/memories/count", user_id="u").status_code == 422


def test_pairs_that_look_alike_do_not_meet(server: RunningServer) -> None:
    agent = uuid.uuid4().hex
    pairs = [
        {"agent_id": f"{agent}/user/x", "user_id": "y"},
        {"agent_id": agent, "user_id": "x/user/y"},
        {"agent_id": agent, "user_id": "x%2Fuser%2Fy"},
        {"agent_id": agent, "user_id": "X/user/y"},
        {"agent_id": agent, "user_id": "ユーザー 名"},
    ]

    for number, who in enumerate(pairs):
        store(server, who, f"Of pair {number}.")

    assert [count(server, who)["count"] for who in pairs] == [1] * len(pairs)
    found = [search(server, who, "Of pair")["results"][0] for who in pairs]
    assert [{k: f[k] for k in ("agent_id", "user_id")} for f in found] == pairs


def test_the_native_interface_sees_the_same_memory_on_its_own_scale(server: RunningServer) -> None:
    who = pair("a/b")
    memory = store(server, who, "Seen from both sides.", importance=1.5)

    native = server.get(f"/v1/memories/{memory['id']}").json()

    assert native["namespace"] == f"agent/{who['agent_id']}/user/a%2Fb"
    assert native["importance"] == 0.75


def test_health_has_memexs_words(server: RunningServer) -> None:
    health = server.get("/health")

    assert health.status_code == 200
    assert (health.json()["status"], health.json()["db"]) == ("ok", "ok")
    assert health.json()["version"]


def test_the_root_names_service_version_and_docs(server: RunningServer) -> None:
    root = server.get("/").json()

    assert {"service", "version", "docs"} <= set(root)
    assert server.get(root["docs"]).status_code == 200


def test_metrics_and_openapi_are_where_memex_has_them(server: RunningServer) -> None:
    assert server.get("/metrics").headers["content-type"].startswith("text/plain")
    assert server.get("/openapi.json").json()["openapi"].startswith("3.")
