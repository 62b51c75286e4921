from datetime import timedelta
from typing import Any

import pytest

from omoide.api.native.memory_model import NativeMemory
from omoide.api.native.page_models import BatchAnswer
from omoide.api.native.store_models import StoreAnswer
from tests.unit.api.api_desk import UNKNOWN_ID, ApiDesk, principal

EVERY_FIELD: dict[str, Any] = {
    "namespace": "team/a",
    "content": "Mika trinkt nachmittags Oolong.",
    "memory_type": "procedural",
    "memory_subtype": "user_explicit",
    "layer": "experience",
    "content_type": "document",
    "summary": "Tea.",
    "tags": ["tea", "お茶"],
    "entities": ["Mika"],
    "importance": 0.75,
    "confidence": 1,
    "source_type": "external_api",
    "source_id": "chat-7",
    "agent_id": "agent",
    "user_id": "user",
    "session_id": "session",
    "turn": 3,
    "speaker": "Mika",
    "event_time": "2025-05-01T09:30:00.125Z",
    "event_end": "2025-05-01T10:30:00.000Z",
    "timezone": "Asia/Tokyo",
    "valence": -0.5,
    "arousal": 0.25,
    "mood": "calm",
    "language": "de",
    "metadata": {"a": [1, 2.5, None, {"b": True}]},
    "pinned": True,
    "resolved": False,
    "expires_at": "2030-01-01T00:00:00.000Z",
}


def test_a_stored_memory_answers_with_every_field_as_it_was_sent(desk: ApiDesk) -> None:
    answer = desk.call("store_memory", EVERY_FIELD)

    assert answer.status == 201
    assert {name: answer.json[name] for name in EVERY_FIELD} == EVERY_FIELD
    assert (answer.json["outcome"], answer.json["superseded_ids"]) == ("created", [])
    assert answer.json["is_lexical_only"] is False
    StoreAnswer.model_validate_json(answer.text)


def test_absent_and_null_fields_are_the_same(desk: ApiDesk) -> None:
    required = {"content", "namespace"}
    nulls = {name: None for name in EVERY_FIELD if name not in required}

    stored = desk.call("store_memory", {"content": "Only this.", **nulls}).json

    assert (stored["namespace"], stored["memory_type"]) == ("default", "semantic")
    assert (stored["importance"], stored["pinned"], stored["resolved"]) == (0.5, False, True)
    assert (stored["tags"], stored["metadata"], stored["summary"]) == ([], {}, None)


def test_the_same_text_again_is_200_and_the_same_memory(desk: ApiDesk) -> None:
    first = desk.store("Said twice.")

    again = desk.call("store_memory", {"content": "Said twice."})

    assert (again.status, again.json["outcome"], again.json["id"]) == (
        200,
        "duplicate",
        first["id"],
    )


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2025-05-01T09:30:00+09:00", "2025-05-01T00:30:00.000Z"),
        ("2025-05-01t09:30z", "2025-05-01T09:30:00.000Z"),
        ("2025-05-01 09:30:00.123456789", "2025-05-01T09:30:00.123Z"),
        ("2025-05-01", "2025-05-01T00:00:00.000Z"),
    ],
)
def test_times_are_shown_in_utc_with_milliseconds(desk: ApiDesk, given: str, shown: str) -> None:
    assert desk.store("An event.", event_time=given)["event_time"] == shown


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"content": ""}, "content"),
        ({"content": " \n　"}, "content"),
        ({"content": None}, "content"),
        ({"content": ["a"]}, "content"),
        ({"importance": 1.01}, "importance"),
        ({"importance": "0.5"}, "importance"),
        ({"importance": True}, "importance"),
        ({"turn": 1.0, "session_id": "s"}, "turn"),
        ({"turn": 1}, "turn"),
        ({"pinned": "yes"}, "pinned"),
        ({"memory_type": "imaginary"}, "memory_type"),
        ({"memory_type": 1}, "memory_type"),
        ({"tags": "tea"}, "tags"),
        ({"tags": ["tea", 1]}, "tags.1"),
        ({"tags": [str(n) for n in range(65)]}, "tags"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"a": "\0"}}, "metadata.a"),
        ({"event_time": 1_700_000_000}, "event_time"),
        ({"event_time": "2025-02-30"}, "event_time"),
        ({"event_time": "0001-01-01T00:00:00+14:00"}, "event_time"),
        ({"timezone": "../etc/passwd"}, "timezone"),
        ({"namespace": ""}, "namespace"),
        ({"namespace": "users/{userId}"}, "namespace"),
        ({"agent_id": "a"}, "namespace"),
        ({"user_id": "u"}, "namespace"),
        ({"colour": "red"}, "colour"),
        ({"schema": 1}, "schema"),
        ({"operation_id": ""}, "operation_id"),
        ({"dedupe": "sometimes"}, "dedupe"),
    ],
)
def test_a_wrong_field_is_named(desk: ApiDesk, fields: dict[str, Any], named: str) -> None:
    answer = desk.call("store_memory", {"content": "A memory.", **fields})

    assert (answer.status, answer.error["code"]) == (422, "VALIDATION_ERROR")
    assert answer.fields == [named]
    assert answer.error["message"].startswith(named)
    assert "detail" not in answer.json


def test_every_wrong_field_is_named_at_once(desk: ApiDesk) -> None:
    answer = desk.call("store_memory", {"importance": 2, "valence": -2, "x": 0})

    assert sorted(answer.fields) == ["content", "importance", "valence", "x"]


def test_a_text_too_long_is_413_and_sent_to_ingest(desk: ApiDesk) -> None:
    answer = desk.call("store_memory", {"content": "a" * 32_769})

    assert (answer.status, answer.error["code"]) == (413, "PAYLOAD_TOO_LARGE")
    assert answer.fields == ["content"]
    assert "ingest" in answer.error["message"]


def test_the_same_operation_id_gets_the_first_answer_and_refuses_another_body(
    desk: ApiDesk,
) -> None:
    header = {"Idempotency-Key": "op-1"}
    first = desk.call("store_memory", {"content": "Once."}, headers=header)

    again = desk.call("store_memory", {"content": "Once.", "operation_id": "op-1"})
    other = desk.call("store_memory", {"content": "Twice."}, headers=header)
    both = desk.call("store_memory", {"content": "x", "operation_id": "op-2"}, headers=header)

    assert (again.json["id"], again.json["outcome"]) == (first.json["id"], "created")
    assert (other.status, other.error["code"]) == (409, "IDEMPOTENCY_MISMATCH")
    assert (both.status, both.fields) == (422, ["operation_id"])


def test_a_batch_fails_item_by_item(desk: ApiDesk) -> None:
    items: list[object] = [
        {"content": "First."},
        {"content": ""},
        "no object",
        {"content": "First."},
        {"content": "a" * 32_769},
        {"content": "a\0b"},
        {"content": "\ud800"},
    ]

    answer = desk.call("store_memories", {"memories": items})

    assert answer.status == 200
    assert [r["status"] for r in answer.json["results"]] == [201, 422, 422, 200, 413, 422, 422]
    assert [r["index"] for r in answer.json["results"]] == list(range(7))
    assert (answer.json["stored"], answer.json["failed"]) == (2, 5)
    assert answer.json["results"][1]["error"]["details"][0]["field"] == "content"
    assert answer.json["results"][3]["memory"]["outcome"] == "duplicate"
    BatchAnswer.model_validate_json(answer.text)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"memories": []}, "memories"),
        ({"memories": None}, "memories"),
        ({"memories": [{"content": str(n)} for n in range(101)]}, "memories"),
        ({"memories": [{"content": "x"}], "colour": "red"}, "colour"),
        ({}, "memories"),
    ],
)
def test_a_batch_that_is_none_is_refused(desk: ApiDesk, body: Any, named: str) -> None:
    answer = desk.call("store_memories", body)

    assert (answer.status, answer.fields) == (422, [named])


def test_a_memory_is_read_changed_and_deleted(desk: ApiDesk) -> None:
    stored = desk.store("Before.", summary="Old.")
    at = desk.one(stored["id"])

    read = desk.call("get_memory", path=desk.one(stored["id"].upper()))
    changed = desk.call("update_memory", {"content": "After.", "summary": None}, path=at)
    put = desk.call("update_memory", {"pinned": True}, path=at, method="PUT")
    deleted = desk.call("delete_memory", path=at)
    gone = desk.call("get_memory", path=at)

    assert (read.status, read.json["content"], read.headers["ETag"]) == (200, "Before.", '"1"')
    assert (changed.status, changed.json["version"]) == (200, 2)
    assert (changed.json["content"], changed.json["summary"]) == ("After.", None)
    assert (put.json["pinned"], put.json["content"], put.headers["ETag"]) == (True, "After.", '"3"')
    assert (deleted.status, deleted.text) == (204, "")
    assert (gone.status, gone.error["code"]) == (404, "NOT_FOUND")
    NativeMemory.model_validate_json(put.text)


@pytest.mark.parametrize("given", ["1", '"1"', 'W/"1"', "*"])
def test_if_match_takes_the_version_that_is_there(desk: ApiDesk, given: str) -> None:
    at = desk.one(desk.store("One.")["id"])

    changed = desk.call("update_memory", {"pinned": True}, path=at, headers={"If-Match": given})

    assert changed.status == 200


def test_a_memory_is_expired_from_its_expiry_on(desk: ApiDesk) -> None:
    until = desk.clock.now() + timedelta(hours=1)
    at = desk.one(desk.store("One.", expires_at=until.isoformat())["id"])

    before = desk.call("get_memory", path=at).json["status"]
    desk.clock.advance(hours=1)

    assert (before, desk.call("get_memory", path=at).json["status"]) == ("active", "expired")
    listed = desk.call("list_memories", query={"status": "expired"}).json
    assert [one["status"] for one in listed["memories"]] == ["expired"]
    assert desk.call("list_memories").json["total"] == 0


def test_another_version_is_a_conflict(desk: ApiDesk) -> None:
    at = desk.one(desk.store("One.")["id"])

    late = desk.call("update_memory", {"pinned": True}, path=at, headers={"if-match": "7"})
    wrong = desk.call("update_memory", {"pinned": True}, path=at, headers={"If-Match": "latest"})

    assert (late.status, late.error["code"]) == (409, "CONFLICT")
    assert (wrong.status, wrong.fields) == (422, ["If-Match"])


@pytest.mark.parametrize(
    ("patch", "named"),
    [
        ({}, "body"),
        ({"operation_id": "op"}, "body"),
        ({"content": None}, "content"),
        ({"tags": None}, "tags"),
        ({"namespace": "other"}, "namespace"),
        ({"id": UNKNOWN_ID}, "id"),
        ({"status": "expired"}, "status"),
        ({"importance": "1"}, "importance"),
    ],
)
def test_a_change_that_cannot_be_is_refused(desk: ApiDesk, patch: Any, named: str) -> None:
    at = desk.one(desk.store("One.")["id"])

    answer = desk.call("update_memory", patch, path=at)

    assert (answer.status, answer.fields) == (422, [named])


@pytest.mark.parametrize("name", ["get_memory", "update_memory", "delete_memory"])
@pytest.mark.parametrize("memory_id", ["42", "0190a5e4", UNKNOWN_ID + "0", "%00", "..%2Fetc"])
def test_an_id_that_is_none_is_refused(desk: ApiDesk, name: str, memory_id: str) -> None:
    body = {"pinned": True} if name == "update_memory" else None

    answer = desk.call(name, body, path={"memory_id": memory_id})

    assert (answer.status, answer.fields) == (422, ["memory_id"])


def test_what_a_key_may_not_see_is_not_there(desk: ApiDesk) -> None:
    secret = desk.store("A secret of B.", namespace="team/b")
    desk.principal = principal("write:team/a/**")

    foreign = desk.call("get_memory", path=desk.one(secret["id"]))
    unknown = desk.call("get_memory", path=desk.one(UNKNOWN_ID))
    named = desk.call("count_memories", query={"namespace": "team/b"})

    assert (foreign.status, foreign.text) == (404, unknown.text)
    assert (named.status, named.error["code"]) == (403, "FORBIDDEN")
