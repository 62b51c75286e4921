from typing import Any

import pytest

from omoide.adapters.fake.limiter import FakeRateLimiter
from omoide.api.memex.models import MemexCount, MemexMemory, MemexSearchAnswer
from omoide.settings import Settings
from tests.unit.api.api_desk import UNKNOWN_ID, ApiDesk, open_desk, principal

PAIR = {"agent_id": "agent/1", "user_id": "ユーザー 名"}
NAMESPACE = "agent/agent%2F1/user/ユーザー%20名"
FIELDS = [
    "id",
    "agent_id",
    "user_id",
    "content",
    "importance",
    "memory_type",
    "created_at",
    "score",
]


def store(desk: ApiDesk, content: str, **fields: Any) -> Any:
    answer = desk.call("store_memory", {**PAIR, "content": content, **fields})
    assert answer.status == 201, answer.text
    return answer.json


def test_a_store_answers_in_memexs_fields_with_its_defaults(desk: ApiDesk) -> None:
    answer = desk.call("store_memory", {**PAIR, "content": "Prefers short answers."})

    assert answer.status == 201
    assert list(answer.json) == FIELDS
    assert {name: answer.json[name] for name in PAIR} == PAIR
    assert (answer.json["importance"], answer.json["memory_type"]) == (1.0, "episodic")
    assert answer.json["score"] is None
    MemexMemory.model_validate_json(answer.text)


def test_the_pair_is_a_namespace_and_importance_is_halved(desk: ApiDesk) -> None:
    stored = store(desk, "Likes tea.", importance=1.5)

    native = desk.call("get_memory", path=desk.one(stored["id"])).json

    assert (native["namespace"], native["importance"]) == (NAMESPACE, 0.75)
    assert (native["agent_id"], native["user_id"]) == (PAIR["agent_id"], PAIR["user_id"])


def test_the_same_text_twice_is_two_memories(desk: ApiDesk) -> None:
    first, second = store(desk, "Said twice."), store(desk, "Said twice.")

    counted = desk.call("count_memories", query=PAIR)

    assert first["id"] != second["id"]
    assert counted.json == {**PAIR, "count": 2}
    MemexCount.model_validate_json(counted.text)


def test_a_search_is_by_meaning_and_recency_with_scores_of_four_digits(desk: ApiDesk) -> None:
    store(desk, "Drinks oolong tea in the afternoon.", memory_type="semantic")
    store(desk, "The van needs new tyres.")

    answer = desk.call("search_memories", {**PAIR, "query": "oolong tea", "top_k": 5})

    found = MemexSearchAnswer.model_validate_json(answer.text)
    assert list(answer.json) == ["results", "query", "total"]
    assert (found.query, found.total, len(found.results)) == ("oolong tea", 2, 2)
    assert found.results[0].content.startswith("Drinks oolong")
    assert all(r.score is not None and r.score == round(r.score, 4) for r in found.results)


def test_a_search_may_be_of_one_type(desk: ApiDesk) -> None:
    store(desk, "Tea as an episode.")
    fact = store(desk, "Tea as a fact.", memory_type="semantic")

    answer = desk.call("search_memories", {**PAIR, "query": "tea", "memory_type": "semantic"})

    assert [r["id"] for r in answer.json["results"]] == [fact["id"]]


def test_fields_unknown_to_memex_are_ignored(desk: ApiDesk) -> None:
    assert list(store(desk, "x", session="s", tags=7)) == FIELDS


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"content": ""}, "content"),
        ({"content": "a" * 8_001}, "content"),
        ({"importance": 2.1}, "importance"),
        ({"memory_type": "prospective"}, "memory_type"),
        ({"agent_id": ""}, "agent_id"),
        ({"agent_id": 7}, "agent_id"),
        ({"user_id": "u" * 129}, "user_id"),
        ({"user_id": "{userId}"}, "user_id"),
        ({"agent_id": "${agent}"}, "agent_id"),
    ],
)
def test_what_memex_refuses_has_a_detail_string(
    desk: ApiDesk, fields: dict[str, Any], named: str
) -> None:
    answer = desk.call("store_memory", {**PAIR, "content": "x", **fields})

    assert (answer.status, answer.fields) == (422, [named])
    assert answer.json["detail"] == answer.error["message"]


def test_a_memory_is_deleted_by_its_agent_alone(desk: ApiDesk) -> None:
    at = desk.one(store(desk, "Short-lived.")["id"])

    foreign = desk.call("delete_memory", path=at, query={"agent_id": "another"})
    first = desk.call("delete_memory", path=at, query={"agent_id": PAIR["agent_id"]})
    again = desk.call("delete_memory", path=at, query={"agent_id": PAIR["agent_id"]})
    no_uuid = desk.call("delete_memory", path=desk.one("42"), query={"agent_id": "a"})

    assert (foreign.status, first.status, again.status) == (404, 204, 404)
    assert foreign.json["detail"] == "not found or does not belong to this agent"
    assert (no_uuid.status, no_uuid.fields) == (422, ["memory_id"])
    assert isinstance(no_uuid.json["detail"], str)


@pytest.mark.parametrize("half", ["agent_id", "user_id"])
def test_half_a_pair_counts_nothing(desk: ApiDesk, half: str) -> None:
    answer = desk.call("count_memories", query={half: "x"})

    other = {"agent_id": "user_id", "user_id": "agent_id"}[half]
    assert (answer.status, answer.fields) == (422, [other])


def test_agents_are_limited_by_memexs_limits_where_they_are_set() -> None:
    settings = Settings.load({}, agent_writes_per_minute=2, agent_searches_per_minute=1)
    desk = open_desk(settings)
    assert isinstance(desk.folder.limiter, FakeRateLimiter)

    statuses = [
        desk.call("store_memory", {**PAIR, "content": f"Number {n}."}).status for n in range(3)
    ]
    over = desk.call("store_memory", {**PAIR, "content": "One more."})
    other = desk.call("store_memory", {**PAIR, "agent_id": "b", "content": "Another agent."})

    assert statuses == [201, 201, 429]
    assert (over.error["code"], over.headers["Retry-After"]) == ("RATE_LIMITED", "60")
    assert "2" in over.json["detail"]
    assert other.status == 201


def test_a_key_without_the_pairs_namespace_gets_nothing(desk: ApiDesk) -> None:
    stored = store(desk, "A secret.")
    desk.principal = principal("admin:team/a/**")

    answers = [
        desk.call("store_memory", {**PAIR, "content": "x"}),
        desk.call("search_memories", {**PAIR, "query": "secret"}),
        desk.call("count_memories", query=PAIR),
    ]
    deleted = desk.call(
        "delete_memory", path=desk.one(stored["id"]), query={"agent_id": PAIR["agent_id"]}
    )
    unknown = desk.call(
        "delete_memory", path=desk.one(UNKNOWN_ID), query={"agent_id": PAIR["agent_id"]}
    )

    assert [answer.status for answer in answers] == [403, 403, 403]
    assert (deleted.status, deleted.text) == (404, unknown.text)


def test_the_pairs_memories_can_be_listed(desk: ApiDesk) -> None:
    stored = store(desk, "To be listed.")

    listed = desk.call("list_memories", query=PAIR)

    assert [memory["id"] for memory in listed.json["memories"]] == [stored["id"]]
