"""Retrieving in our own words and in DSE's."""

import pytest

from omoide.api.dse.context import DseRetrieveAnswer
from omoide.api.native.context_models import RetrieveAnswer
from tests.unit.api.api_desk import ApiDesk, principal

DSE_ITEM = {
    "memory_id",
    "memory_type",
    "content",
    "tier",
    "score",
    "confidence",
    "created_at",
    "tokens",
}


def test_the_text_and_what_it_holds_are_told(desk: ApiDesk) -> None:
    stored = desk.store("Mika drinks oolong tea.", speaker="Ana", confidence=0.9)

    answer = desk.call("retrieve_context", {"query": "oolong", "token_budget": 500})

    assert answer.status == 200, answer.text
    told = RetrieveAnswer.model_validate_json(answer.text)
    assert [item.id for item in told.items] == [stored["id"]]
    assert (told.items[0].text, told.items[0].tier) == ("Mika drinks oolong tea.", "full")
    assert told.items[0].confidence == 0.9
    assert "Ana: Mika drinks oolong tea." in told.text
    assert told.items[0].tokens < told.total_tokens <= told.token_budget == 500
    assert (told.cascade_stage, told.token_target, told.token_factor) == ("precision", "o200k", 1.3)
    assert (told.query, told.namespace) == ("oolong", "default")


def test_nothing_found_is_an_empty_text(desk: ApiDesk) -> None:
    answer = desk.call("retrieve_context", {"query": "oolong"}).json

    assert (answer["items"], answer["text"], answer["total_tokens"]) == ([], "", 0)
    assert answer["low_confidence"] is True


def test_null_means_absent(desk: ApiDesk) -> None:
    desk.store("Mika drinks oolong tea.")
    names = ("token_budget", "token_target", "cascade_stage", "task_context", "top_k", "filters")

    answer = desk.call("retrieve_context", {"query": "oolong", **dict.fromkeys(names)})

    assert len(answer.json["items"]) == 1


def test_a_key_of_dse_is_answered_in_dses_words(desk: ApiDesk) -> None:
    desk.principal = principal("write:**", shape="dse")
    stored = desk.call(
        "store_memory", {"namespace": "user:default", "content_text": "会議は火曜日です。"}
    ).json

    answer = desk.call(
        "retrieve_context",
        {"query": "会議", "namespace": "user:default", "cascade_stage": "deep", "unknown": 1},
    )

    assert answer.status == 200, answer.text
    told = DseRetrieveAnswer.model_validate_json(answer.text)
    item = answer.json["items"][0]
    assert set(item) == DSE_ITEM
    assert (item["memory_id"], item["content"]) == (stored["id"], "会議は火曜日です。")
    assert (told.query, told.namespace) == ("会議", "user:default")
    assert "会議は火曜日です。" in told.text


def test_a_key_of_dse_may_use_our_words(desk: ApiDesk) -> None:
    desk.principal = principal("write:**", shape="dse")
    desk.call("store_memory", {"content_text": "tea", "namespace": "user:default"})

    answer = desk.call(
        "retrieve_context",
        {"query": "tea", "namespace": "user:default", "token_target": "model"},
    ).json

    assert answer["token_factor"] == 1.0
    assert answer["items"][0]["text"] == "tea"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"token_budget": 99}, "token_budget"),
        ({"cascade_stage": "deepest"}, "cascade_stage"),
        ({"memory_types": ["imaginary"]}, "memory_types.0"),
        ({"query": " "}, "query"),
    ],
)
def test_dses_wrong_fields_are_named_too(
    desk: ApiDesk, fields: dict[str, object], named: str
) -> None:
    desk.principal = principal("write:**", shape="dse")

    answer = desk.call("retrieve_context", {"query": "tea", **fields})

    assert (answer.status, answer.fields) == (422, [named])
