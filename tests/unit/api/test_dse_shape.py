from typing import Any

import pytest

from omoide.api.dse.models import DseMemory
from tests.unit.api.api_desk import ApiDesk, principal

DSE_FIELDS = {
    "id",
    "namespace",
    "content_path",
    "summary",
    "content_text",
    "embedding",
    "summary_embedding",
    "embedding_model",
    "embedding_version",
    "memory_type",
    "memory_subtype",
    "content_type",
    "confidence",
    "confidence_basis",
    "corroborating_sources",
    "contradicting_sources",
    "confidence_updated_at",
    "source_type",
    "source_id",
    "verification_status",
    "last_verified_at",
    "created_at",
    "updated_at",
    "accessed_at",
    "expires_at",
    "access_count",
    "access_count_7d",
    "access_count_30d",
    "last_access_utility",
    "decay_score",
    "importance_score",
    "superseded_by",
    "supersedes",
    "parent_id",
    "tags",
    "entities",
    "language",
    "trigger_type",
    "trigger_at",
    "trigger_condition",
    "is_triggered",
    "is_archived",
    "archived_at",
    "archive_reason",
    "neighbor_ids",
}


def store(desk: ApiDesk, content: str, **fields: Any) -> Any:
    body = {"namespace": "user:default", "content_text": content, **fields}
    answer = desk.call("store_memory", body)
    assert answer.status == 201, answer.text
    return answer.json


def test_a_store_answers_with_all_of_dses_names_and_defaults(desk: ApiDesk) -> None:
    body = {"namespace": "user:default", "content_text": "会議は火曜日。", "decay_score": 3}

    answer = desk.call("store_memory", body)

    assert answer.status == 201
    assert set(answer.json) == DSE_FIELDS
    DseMemory.model_validate_json(answer.text)
    expected: dict[str, Any] = {
        "namespace": "user:default",
        "content_text": "会議は火曜日。",
        "memory_type": "episodic",
        "memory_subtype": "observation",
        "content_type": "text",
        "confidence": 0.5,
        "source_type": "observation",
        "source_id": "",
        "summary": "",
        "tags": [],
        "language": "ja",
        "is_archived": False,
    }
    assert {name: answer.json[name] for name in expected} == expected


def test_fields_come_back_under_their_own_names(desk: ApiDesk) -> None:
    fields = {
        "summary": "Meeting.",
        "memory_type": "procedural",
        "memory_subtype": "agent_generated",
        "content_type": "code",
        "confidence": 0.9,
        "source_type": "user_explicit",
        "source_id": "chat-1",
        "tags": ["a"],
        "entities": ["b"],
        "language": "en",
    }

    stored = store(desk, "The meeting is on Tuesday.", **fields)

    assert {name: stored[name] for name in fields} == fields


def test_a_key_of_this_shape_reads_and_changes_in_it(desk: ApiDesk) -> None:
    stored = store(desk, "Before.")
    at = desk.one(stored["id"])
    desk.principal = principal("write:**", namespace="user:default", shape="dse")

    read = desk.call("get_memory", path=at)
    changed = desk.call(
        "update_memory", {"summary": "Short.", "tags": ["t"]}, path=at, method="PUT"
    )

    assert read.json["content_text"] == "Before."
    assert (changed.json["summary"], changed.json["tags"]) == ("Short.", ["t"])
    assert changed.json["content_text"] == "Before."


def test_its_fields_tell_the_shape_of_a_change(desk: ApiDesk) -> None:
    at = desk.one(store(desk, "Before.")["id"])
    body = {"content_text": "After.", "importance_score": 0.9, "is_archived": True, "x": 1}

    changed = desk.call("update_memory", body, path=at, method="PUT")
    back = desk.call("update_memory", {"is_archived": False, "summary": None}, path=at)
    native = desk.call("get_memory", path=at)

    assert (changed.json["content_text"], changed.json["importance_score"]) == ("After.", 0.9)
    assert changed.json["is_archived"] is True
    assert changed.json["archived_at"] is not None
    assert back.json["is_archived"] is False
    assert (native.json["content"], native.json["status"]) == ("After.", "active")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"content_text": ""}, "content_text"),
        ({"content_text": None}, "content_text"),
        ({"confidence": 1.1}, "confidence"),
        ({"memory_type": "imaginary"}, "memory_type"),
        ({"summary": "s" * 501}, "summary"),
        ({"namespace": "user:{id}"}, "namespace"),
        ({"trigger_type": "time"}, "trigger_type"),
    ],
)
def test_what_cannot_be_stored_is_refused_by_its_own_name(
    desk: ApiDesk, fields: dict[str, Any], named: str
) -> None:
    answer = desk.call("store_memory", {"content_text": "x", **fields})

    assert (answer.status, answer.fields) == (422, [named])


def test_a_text_too_long_is_named_as_it_was_sent(desk: ApiDesk) -> None:
    at = desk.one(store(desk, "Short.")["id"])

    stored = desk.call("store_memory", {"content_text": "a" * 32_769})
    changed = desk.call("update_memory", {"content_text": "a" * 32_769}, path=at)

    assert (stored.status, stored.fields) == (413, ["content_text"])
    assert (changed.status, changed.fields) == (413, ["content_text"])


def test_a_change_of_nothing_is_refused(desk: ApiDesk) -> None:
    at = desk.one(store(desk, "x")["id"])

    answer = desk.call("update_memory", {"is_archived": None}, path=at)

    assert (answer.status, answer.fields) == (422, ["body"])
