"""A key with read on team/a/** can neither see nor change team/b, nor learn that it exists."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.manifest import API_FUNCTIONS, ApiFunction
from tests.e2e.running_server import bearer, create_key, omoide
from tests.e2e.tenancy_attempts import ATTEMPTS, SMUGGLED, Attempt
from tests.e2e.tenants import SECRET, TRACES, Tenants, two_tenants

CLOSED = [function for function in API_FUNCTIONS if not function.is_public]


@pytest.fixture(scope="module")
def tenants(data: Path) -> Iterator[Tenants]:
    """Two tenants on one server."""
    with two_tenants(data) as both:
        yield both


def send(tenants: Tenants, attempt: Attempt, key: str | None) -> httpx.Response:
    return tenants.server.http.request(
        attempt.method,
        attempt.path,
        params=attempt.query or None,
        json=attempt.body,
        headers={**attempt.headers, **bearer(key)},
    )


def assert_nothing_shown(answer: httpx.Response, said: str = "") -> None:
    shown = answer.text + str(answer.headers)
    assert [trace for trace in TRACES if trace in shown and trace not in said] == []


def test_every_operation_has_a_tenancy_case() -> None:
    assert set(ATTEMPTS) == {function.name for function in API_FUNCTIONS}


@pytest.mark.parametrize("key", ["reader", "writer"])
@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_no_attempt_sees_or_changes_anything_of_the_other_tenant(
    tenants: Tenants, function: ApiFunction, key: str
) -> None:
    before = tenants.state_of_b()

    for aim in (tenants.foreign, tenants.unknown):
        for attempt in ATTEMPTS[function.name](aim):
            answer = send(tenants, attempt, getattr(tenants, key))
            assert answer.status_code < 500, (attempt.name, answer.text)
            assert_nothing_shown(answer, said=f"{attempt.body}{attempt.query}{attempt.path}")

    assert tenants.state_of_b() == before


@pytest.mark.parametrize("key", ["reader", "writer"])
@pytest.mark.parametrize("function", CLOSED, ids=lambda function: function.name)
def test_what_is_foreign_and_what_is_unknown_are_answered_alike(
    tenants: Tenants, function: ApiFunction, key: str
) -> None:
    pairs = zip(
        ATTEMPTS[function.name](tenants.foreign),
        ATTEMPTS[function.name](tenants.unknown),
        strict=True,
    )

    for at_foreign, at_unknown in pairs:
        foreign = send(tenants, at_foreign, getattr(tenants, key))
        unknown = send(tenants, at_unknown, getattr(tenants, key))
        assert foreign.status_code == unknown.status_code, at_foreign.name
        assert heading(foreign) == heading(unknown), at_foreign.name
        assert told(tenants, foreign) == told(tenants, unknown), at_foreign.name


def heading(answer: httpx.Response) -> dict[str, str]:
    """Headers that do not change at every call, nor with the length of a name."""
    changing = {"x-request-id", "date", "content-length"}
    return {name: value for name, value in answer.headers.items() if name not in changing}


def told(tenants: Tenants, answer: httpx.Response) -> str:
    """What an answer says, apart from names; of stores that succeeded only the outcome."""
    body: Any = answer.json() if answer.is_success else None
    if body and "outcome" in body:
        return str(body["outcome"])
    if body and "stored" in body:
        items = [(r["status"], r.get("error")) for r in body["results"]]
        return tenants.comparable(json.dumps(items))
    return tenants.comparable(answer.text)


def test_ids_of_others_are_not_found_and_their_namespaces_are_forbidden(tenants: Tenants) -> None:
    path = f"/v1/memories/{tenants.foreign.memory_id}"
    by_id = [
        tenants.server.http.request(method, path, headers=bearer(tenants.writer), json=body)
        for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None))
    ]
    by_namespace = [
        tenants.server.get("/v1/memories", tenants.reader, namespace="team/b"),
        tenants.server.get("/v1/memories/count", tenants.reader, namespace="team/b"),
        tenants.server.post(
            "/v1/memories/search", {"query": "q", "namespace": "team/b"}, tenants.reader
        ),
        tenants.server.post(
            "/v1/memories", {"content": "x", "namespace": "team/b"}, tenants.writer
        ),
    ]

    assert [answer.status_code for answer in by_id] == [404] * 3
    assert [answer.status_code for answer in by_namespace] == [403] * 4


def test_a_reader_writes_nothing_even_at_home(tenants: Tenants) -> None:
    mine = tenants.server.get("/v1/memories", tenants.reader).json()["memories"][0]
    path = f"/v1/memories/{mine['id']}"
    store = tenants.server.post("/v1/memories", {"content": "x"}, tenants.reader)
    change = tenants.server.http.patch(path, json={"content": "x"}, headers=bearer(tenants.reader))
    remove = tenants.server.http.delete(path, headers=bearer(tenants.reader))
    batch = tenants.server.post(
        "/v1/memories/batch", {"memories": [{"content": "x"}]}, tenants.reader
    )

    assert [a.status_code for a in (store, change, remove)] == [403] * 3
    assert batch.json()["results"][0]["error"]["code"] == "FORBIDDEN"
    assert tenants.server.get(path, tenants.reader).json()["version"] == mine["version"]


@pytest.mark.parametrize("header", SMUGGLED)
@pytest.mark.parametrize("function", CLOSED, ids=lambda function: function.name)
def test_no_header_widens_a_key(tenants: Tenants, function: ApiFunction, header: str) -> None:
    value = "team/b admin:** " + tenants.foreign.memory_id

    for attempt in ATTEMPTS[function.name](tenants.foreign):
        plain = send(tenants, attempt, tenants.reader)
        headers = {**attempt.headers, **bearer(tenants.reader), header: value}
        smuggled = tenants.server.http.request(
            attempt.method,
            attempt.path,
            params=attempt.query or None,
            json=attempt.body,
            headers=headers,
        )
        assert smuggled.status_code == plain.status_code, attempt.name
        assert tenants.comparable(smuggled.text) == tenants.comparable(plain.text)


@pytest.mark.parametrize("function", CLOSED, ids=lambda function: function.name)
def test_without_a_valid_key_there_is_nothing(tenants: Tenants, function: ApiFunction) -> None:
    prefix, key_id, secret = tenants.owner.split("_", 2)
    bad = [
        None,
        "nonsense",
        prefix,
        f"{prefix}_{key_id}",
        f"{prefix}_{key_id}_",
        f"{prefix}_{key_id}_{secret[:-1]}",
        f"{prefix}_{key_id}_{secret[::-1]}",
        f"{prefix}_{key_id[::-1]}_{secret}",
        tenants.owner.upper(),
    ]
    attempt = next(iter(ATTEMPTS[function.name](tenants.foreign)))

    answers = [send(tenants, attempt, key) for key in bad]

    assert [answer.status_code for answer in answers] == [401] * len(bad)
    assert {answer.json()["error"]["code"] for answer in answers} == {"UNAUTHENTICATED"}
    for answer in answers:
        assert_nothing_shown(answer)


def test_a_key_in_the_address_or_the_body_is_no_key(tenants: Tenants) -> None:
    query = {"key": tenants.owner, "authorization": f"Bearer {tenants.owner}"}
    body = {"query": "vault", "authorization": tenants.owner}

    in_query = tenants.server.http.get("/v1/memories", params=query)
    in_body = tenants.server.http.post("/v1/memories/search", json=body)

    assert (in_query.status_code, in_body.status_code) == (401, 401)


def test_a_revoked_key_is_refused_at_once(tenants: Tenants) -> None:
    key = create_key(tenants.server.data, "read:team/b/**", namespace="team/b")
    assert tenants.server.get("/v1/memories", key).status_code == 200

    revoked = omoide("keys", "revoke", key.split("_")[1], data=tenants.server.data)

    assert revoked.returncode == 0, revoked.stderr
    assert tenants.server.get("/v1/memories", key).status_code == 401


def test_the_same_text_at_another_tenant_is_no_duplicate(tenants: Tenants) -> None:
    mine = tenants.server.store(SECRET, tenants.writer, namespace="team/a/copy")

    assert mine["outcome"] == "created"
    assert mine["id"] != tenants.foreign.memory_id


def test_an_operation_id_of_another_key_is_free_to_use(tenants: Tenants) -> None:
    operation = {"operation_id": "used by both"}
    theirs = tenants.server.store("Their text.", tenants.owner, namespace="team/b/ops", **operation)

    mine = tenants.server.store("My text.", tenants.writer, namespace="team/a/ops", **operation)

    assert mine["outcome"] == "created"
    assert mine["id"] != theirs["id"]


def test_turns_of_a_session_of_the_same_name_are_counted_apart(tenants: Tenants) -> None:
    turns = [
        tenants.server.store(text, tenants.writer, namespace="team/a/turns", session_id=session)[
            "turn"
        ]
        for text, session in (("First.", "session-of-b"), ("Again.", "session-of-q"))
    ]

    assert turns[0] == turns[1]


def test_what_another_tenant_stores_changes_no_score_of_mine(tenants: Tenants) -> None:
    words = ("oolong", "sencha", "the afternoon tea of the tenant")
    for number, word in enumerate(words):
        tenants.server.store(f"Note {number} on {word}.", tenants.writer, namespace="team/a/tea")
    search = {"namespace": "team/a/tea", "explain": True}
    before = tenants.server.search("oolong tea", tenants.reader, **search)["results"]

    for number in range(60):
        tenants.server.store(f"oolong oolong tea {number}", tenants.owner, namespace="team/b/noise")
    after = tenants.server.search("oolong tea", tenants.reader, **search)["results"]

    assert [r["id"] for r in after] == [r["id"] for r in before]
    assert [r["relevance"] for r in after] == [r["relevance"] for r in before]


def test_public_answers_tell_nothing_of_the_memories(tenants: Tenants) -> None:
    health = tenants.server.get("/health")
    metrics = tenants.server.get("/metrics", tenants.reader)

    assert health.status_code == 200
    assert metrics.status_code == 403
    assert_nothing_shown(health)
