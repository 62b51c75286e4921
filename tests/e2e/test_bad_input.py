"""Bad input is refused in one shape that names the field, whichever operation it goes to."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from functions.manifest import API_FUNCTIONS
from tests.e2e.bad_bodies import BAD_BODIES
from tests.e2e.bad_queries import BAD_QUERIES
from tests.e2e.bad_request import FOREIGN_SITE, OTHER_ID, TOO_LONG, BadRequest
from tests.e2e.running_server import RunningServer

BAD_REQUESTS = (*BAD_BODIES, *BAD_QUERIES)

WITHOUT_INPUT = {"get_service", "get_health", "get_readiness"}
"""Operations that take nothing from the caller."""


def assert_refused(answer: Any, status: int, code: str, field: str | None) -> None:
    """The one error shape, and nothing internal in it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    body = answer.json()
    error = body["error"]
    assert set(body) == {"error"}
    assert set(error) == {"code", "message", "details", "request_id"}
    assert error["code"] == code
    assert error["message"] and error["request_id"]
    assert all(set(detail) == {"field", "problem"} for detail in error["details"])
    assert field is None or field in [detail["field"] for detail in error["details"]], body
    for internal in ("Traceback", "pydantic", "apsw", "sqlite", 'File "', "site-packages"):
        assert internal not in answer.text


@pytest.fixture(scope="module")
def memory_id(server: RunningServer) -> str:
    """The id of a memory that is there."""
    return str(server.store("A memory to be changed.")["id"])


@pytest.mark.parametrize("bad", BAD_REQUESTS, ids=str)
def test_it_is_refused_and_the_field_is_named(
    server: RunningServer, memory_id: str, bad: BadRequest
) -> None:
    headers = {"Content-Type": "application/json", **bad.headers}
    if bad.body is None:
        del headers["Content-Type"]

    path = bad.path.replace(OTHER_ID, memory_id)
    answer = server.http.request(bad.method, path, content=bad.body, headers=headers)

    assert_refused(answer, bad.status, bad.code, bad.field)


def test_every_operation_that_takes_input_has_its_bad_requests() -> None:
    operations = {function.name for function in API_FUNCTIONS} - WITHOUT_INPUT

    assert {bad.operation for bad in BAD_REQUESTS} == operations


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda f: f.name)
@pytest.mark.parametrize(
    ("header", "value", "field"),
    [
        ("Origin", FOREIGN_SITE, "Origin"),
        ("Origin", "null", "Origin"),
        ("Host", "evil.example", "Host"),
        ("Host", "127.0.0.1.evil.example:80", "Host"),
        ("Host", "localhost:1", "Host"),
    ],
)
def test_other_sites_and_rebound_names_are_refused(
    server: RunningServer, function: Any, header: str, value: str, field: str
) -> None:
    path = function.path.replace("{memory_id}", OTHER_ID).replace("{key_id}", "k")

    answer = server.http.request(function.method, path, headers={header: value})

    assert_refused(answer, 403, "FORBIDDEN", field)


def test_a_page_of_the_server_itself_is_not_foreign(server: RunningServer) -> None:
    answer = server.http.get("/v1/memories", headers={"Origin": server.base_url})

    assert answer.status_code == 200


def test_a_text_too_long_is_told_where_documents_go(server: RunningServer) -> None:
    answer = server.post("/v1/memories", {"content": TOO_LONG})

    assert "ingest" in answer.json()["error"]["message"]


OTHER_FACTS = (
    "The boathouse was painted blue last year.",
    "The spare tyre is in the boot.",
    "A lantern festival is held in May.",
    "The key question is who pays.",
)


def test_the_longest_text_is_taken_and_its_end_is_found(server: RunningServer) -> None:
    fact = " The spare key of the boathouse hangs behind the blue lantern."
    filler = "The weather of that day was noted hour by hour and nothing happened. "
    text = (filler * 600)[: 32_768 - len(fact)] + fact

    stored = server.store(text, namespace="long")
    for other in OTHER_FACTS:
        server.store(other, namespace="long")
    found = server.search("where is the spare key of the boathouse?", namespace="long")

    ids = [result["id"] for result in found["results"]]
    assert len(stored["content"]) == 32_768
    assert ids[0] == stored["id"]
    assert ids.count(stored["id"]) == 1


def test_one_bad_item_of_a_batch_fails_alone_and_names_its_field(server: RunningServer) -> None:
    items = [
        {"content": "good"},
        {"content": ""},
        {"content": "x", "importance": 2},
        {"content": 1},
    ]

    answer = server.post("/v1/memories/batch", {"memories": items})

    body = answer.json()
    assert answer.status_code == 200
    assert (body["stored"], body["failed"]) == (1, 3)
    assert [r["index"] for r in body["results"]] == [0, 1, 2, 3]
    fields = [r["error"]["details"][0]["field"] for r in body["results"][1:]]
    assert fields == ["content", "importance", "content"]


def test_a_batch_of_more_than_32768_characters_is_too_large(server: RunningServer) -> None:
    items = [{"content": "a" * 11_000} for _ in range(3)]

    answer = server.post("/v1/memories/batch", {"memories": items})

    assert_refused(answer, 413, "PAYLOAD_TOO_LARGE", "memories")


def test_a_path_that_is_none_and_a_method_that_is_none_answer_in_the_same_shape(
    server: RunningServer,
) -> None:
    nowhere = server.http.get("/v1/nowhere")
    wrong = server.http.request("TRACE", "/v1/memories")

    assert_refused(nowhere, 404, "NOT_FOUND", None)
    assert_refused(wrong, 405, "METHOD_NOT_ALLOWED", None)


def test_a_cursor_of_another_filter_is_refused(server: RunningServer) -> None:
    for number in range(3):
        server.store(f"cursor {number}", namespace="cursors", tags=["t"])
    first = server.get("/v1/memories", namespace="cursors", tag="t", limit=1).json()

    answer = server.get("/v1/memories", namespace="cursors", cursor=first["next_cursor"], limit=1)

    assert_refused(answer, 422, "VALIDATION_ERROR", "cursor")


def test_broken_http_never_stops_the_server(server: RunningServer) -> None:
    address = urlsplit(server.base_url)
    for garbage in (b"\x00\xff garbage\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/memories"):
        connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
        connection.connect()
        connection.sock.sendall(garbage)
        connection.close()

    assert server.get("/health").json()["status"] == "ok"


def test_numbers_that_no_double_holds_come_back_as_they_went_in(server: RunningServer) -> None:
    body = b'{"content": "big", "metadata": {"n": 9007199254740993}}'

    answer = server.http.post(
        "/v1/memories", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 201
    assert json.loads(answer.content)["metadata"] == {"n": 9007199254740993}
