from typing import Any

import pytest

from omoide.api.native.page_models import MemoryPage
from omoide.api.native.search_models import SearchAnswer
from tests.unit.api.api_desk import ApiDesk


def test_a_search_tells_how_it_came_about(desk: ApiDesk) -> None:
    tea = desk.store("Mika drinks oolong tea in the afternoon.", tags=["tea"])
    desk.store("The van needs new tyres.", tags=["car"])

    answer = desk.call(
        "search_memories",
        {"query": "oolong tea", "top_k": 1, "explain": True, "filters": {"tags_any": ["tea"]}},
    )

    assert [result["id"] for result in answer.json["results"]] == [tea["id"]]
    assert (answer.json["query"], answer.json["total"]) == ("oolong tea", 1)
    found = SearchAnswer.model_validate_json(answer.text).results[0]
    assert found.explain is not None
    assert found.explain.score == pytest.approx(found.score)


def test_a_search_without_explain_has_no_explanation(desk: ApiDesk) -> None:
    desk.store("Tea.")

    answer = desk.call("search_memories", {"query": "tea"})

    assert "explain" not in answer.json["results"][0]
    SearchAnswer.model_validate_json(answer.text)


def test_a_search_goes_on_with_words_when_there_is_no_model(desk: ApiDesk) -> None:
    stored = desk.store("Mika drinks oolong tea.")
    desk.embedder.is_failing = True

    answer = desk.call("search_memories", {"query": "oolong"})

    assert answer.json["degraded"] is True
    assert [result["id"] for result in answer.json["results"]] == [stored["id"]]
    assert answer.json["results"][0]["similarity"] is None


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"query": ""}, "query"),
        ({"query": "q" * 2_001}, "query"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": 101}, "top_k"),
        ({"top_k": 10**400}, "top_k"),
        ({"top_k": 1.5}, "top_k"),
        ({"mode": "psychic"}, "mode"),
        ({"profile": "astral"}, "profile"),
        ({"alpha": -0.1}, "alpha"),
        ({"min_score": "high"}, "min_score"),
        ({"filters": []}, "filters"),
        ({"filters": {"owner": "b"}}, "filters.owner"),
        ({"filters": {"memory_types": ["x"]}}, "filters.memory_types.0"),
        ({"filters": {"event_after": "then"}}, "filters.event_after"),
        ({"include": ["archived"], "filters": {"statuses": ["active"]}}, "include"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"agent_id": "a"}, "agent_id"),
    ],
)
def test_a_search_that_cannot_be_is_refused(desk: ApiDesk, fields: Any, named: str) -> None:
    answer = desk.call("search_memories", {"query": "tea", **fields})

    assert (answer.status, answer.fields) == (422, [named])


def test_a_list_is_read_page_by_page(desk: ApiDesk) -> None:
    stored: list[str] = []
    for number in range(5):
        desk.clock.advance(seconds=1)
        stored.append(desk.store(f"Memory {number}.", tags=["t", str(number)])["id"])

    first = desk.call("list_memories", query={"limit": 2, "tag": ["t"]})
    cursor = first.json["next_cursor"]
    second = desk.call("list_memories", query={"limit": 2, "tag": ["t"], "cursor": cursor})

    assert [m["id"] for m in first.json["memories"]] == [stored[4], stored[3]]
    assert [m["id"] for m in second.json["memories"]] == [stored[2], stored[1]]
    assert first.json["total"] == 5
    MemoryPage.model_validate_json(first.text)


def test_a_list_takes_repeated_conditions(desk: ApiDesk) -> None:
    both = desk.store("Both.", tags=["a", "b"], memory_type="episodic")
    desk.store("One.", tags=["a"], memory_type="semantic")

    listed = desk.call(
        "list_memories", query={"tag": ["a", "b"], "memory_type": ["episodic", "semantic"]}
    )

    assert [m["id"] for m in listed.json["memories"]] == [both["id"]]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"limit": "all"}, "limit"),
        ({"limit": ["1", "2"]}, "limit"),
        ({"cursor": "bm90LXNpZ25lZA"}, "cursor"),
        ({"cursor": "a\0"}, "cursor"),
        ({"colour": "red"}, "colour"),
        ({"memory_type": ["imaginary"]}, "memory_type"),
        ({"importance_min": "nan"}, "importance_min"),
        ({"pinned": "perhaps"}, "pinned"),
        ({"namespace": ""}, "namespace"),
    ],
)
def test_a_query_parameter_that_cannot_be_is_refused(desk: ApiDesk, query: Any, named: str) -> None:
    answer = desk.call("list_memories", query=query)

    assert (answer.status, answer.fields) == (422, [named])


@pytest.mark.parametrize("name", ["store_memory", "search_memories", "create_key"])
def test_requests_with_a_body_take_no_query_parameters(desk: ApiDesk, name: str) -> None:
    bodies = {
        "store_memory": {"content": "x"},
        "search_memories": {"query": "x"},
        "create_key": {"name": "x", "scopes": ["read:a"]},
    }

    answer = desk.call(name, bodies[name], query={"colour": "red"})

    assert (answer.status, answer.fields) == (422, ["colour"])


def test_a_count_is_of_a_namespace(desk: ApiDesk) -> None:
    desk.store("One.", namespace="team/a")

    assert desk.call("count_memories", query={"namespace": "team/a"}).json == {
        "namespace": "team/a",
        "count": 1,
    }
    assert desk.call("count_memories").json == {"namespace": "default", "count": 0}
