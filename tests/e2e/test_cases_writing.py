"""Reported faults of other memories, on the way in: replays, lost answers, reads after writes."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.e2e.running_server import Json, RunningServer, omoide_json, running_server


def namespace() -> str:
    """A namespace of its own, so that tests do not meet."""
    return f"cases/{uuid.uuid4().hex}"


def count(server: RunningServer, space: str) -> int:
    return int(server.get("/v1/memories/count", namespace=space).json()["count"])


def test_case_1_the_very_same_text_twice_is_one_memory(server: RunningServer) -> None:
    space = namespace()
    body = {"content": "The deploy key lives in the blue safe.", "namespace": space}

    first = server.post("/v1/memories", body)
    second = server.post("/v1/memories", body)

    assert (first.status_code, first.json()["outcome"]) == (201, "created")
    assert (second.status_code, second.json()["outcome"]) == (200, "duplicate")
    assert first.json()["id"] == second.json()["id"]
    assert count(server, space) == 1


@pytest.mark.parametrize(
    "variant",
    [
        "the deploy key lives in the blue safe",
        "The  deploy key\nlives in the blue safe.",
        "Ｔｈｅ deploy key lives in the blue safe。",
    ],
)
def test_case_1_spelling_that_says_the_same_is_the_same(
    server: RunningServer, variant: str
) -> None:
    space = namespace()
    first = server.store("The deploy key lives in the blue safe.", namespace=space)

    assert server.store(variant, namespace=space)["id"] == first["id"]


def test_case_1_another_type_speaker_or_time_is_another_memory(server: RunningServer) -> None:
    space = namespace()
    text = "The lights are on."
    others: list[dict[str, str]] = [
        {"memory_type": "procedural"},
        {"speaker": "Aiko"},
        {"event_time": "2024-01-01T00:00:00Z"},
    ]

    ids = {server.store(text, namespace=space, **other)["id"] for other in [{}, *others]}

    assert len(ids) == 4


def test_case_2_replays_are_no_new_memories(server: RunningServer) -> None:
    space = namespace()
    texts = [f"Hook event number {n % 20}: the build turned green." for n in range(200)]

    def store(text: str) -> Json:
        return server.store(text, namespace=space)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(store, texts))

    assert count(server, space) == 20
    assert len({answer["id"] for answer in answers}) == 20
    assert sum(answer["outcome"] == "created" for answer in answers) == 20


def test_case_2_replays_inside_one_batch_are_no_new_memories(server: RunningServer) -> None:
    space = namespace()
    items = [{"content": f"Line {n % 3}", "namespace": space} for n in range(9)]

    answer = server.post("/v1/memories/batch", {"memories": items}).json()

    outcomes = [result["memory"]["outcome"] for result in answer["results"]]
    assert outcomes == ["created"] * 3 + ["duplicate"] * 6
    assert len({result["memory"]["id"] for result in answer["results"]}) == 3
    assert count(server, space) == 3


def test_case_40_a_search_sees_every_write_whose_call_has_returned(server: RunningServer) -> None:
    space = namespace()
    for number in range(25):
        stored = server.store(f"Parcel {number} is in locker {number * 7}.", namespace=space)
        found = server.search(f"where is parcel {number}?", namespace=space, top_k=100)
        assert stored["id"] in [result["id"] for result in found["results"]]


def test_case_40_a_change_and_a_removal_are_seen_at_once(server: RunningServer) -> None:
    space = namespace()
    stored = server.store("The meeting is in room Hokusai.", namespace=space)
    path = f"/v1/memories/{stored['id']}"

    server.http.patch(path, json={"content": "The meeting is in room Utamaro."})
    changed = server.search("which room is the meeting in?", namespace=space)["results"]
    server.http.delete(path)
    removed = server.search("which room is the meeting in?", namespace=space)["results"]

    assert [result["content"] for result in changed] == ["The meeting is in room Utamaro."]
    assert removed == []


def test_case_40_processes_beside_the_server_see_its_writes_and_it_sees_theirs(
    server: RunningServer,
) -> None:
    space = namespace()
    mine = server.store("The server wrote about lighthouses.", namespace=space)
    found = omoide_json("search", "--namespace", space, "lighthouses", data=server.data)
    theirs = omoide_json(
        "store", "--namespace", space, "A process wrote about windmills.", data=server.data
    )
    seen = server.search("windmills", namespace=space, top_k=1)

    assert mine["id"] in [result["id"] for result in found["results"]]
    assert [result["id"] for result in seen["results"]] == [theirs["id"]]


def test_case_42_a_retry_after_a_lost_answer_stores_nothing_new(server: RunningServer) -> None:
    space = namespace()
    body = {"content": "Paid.", "namespace": space, "dedupe": "off", "operation_id": f"op-{space}"}

    first, again = (server.post("/v1/memories", body) for _ in range(2))

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json()["id"] == first.json()["id"]
    assert again.json()["outcome"] == "created"
    assert count(server, space) == 1


def test_case_42_the_header_is_as_good_as_the_field(server: RunningServer) -> None:
    space = namespace()
    body = {"content": "Paid.", "namespace": space, "dedupe": "off"}
    headers = {"Idempotency-Key": f"op-{space}"}

    ids = {
        server.http.post("/v1/memories", json=body, headers=headers).json()["id"] for _ in range(3)
    }

    assert len(ids) == 1


def test_case_42_another_request_under_the_same_id_is_a_conflict(server: RunningServer) -> None:
    space = namespace()
    operation = {"namespace": space, "operation_id": f"op-{space}"}
    server.store("Paid 10.", **operation)

    answer = server.post("/v1/memories", {"content": "Paid 20.", **operation})

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "IDEMPOTENCY_MISMATCH"
    assert count(server, space) == 1


def test_case_42_a_retry_of_what_was_deleted_meanwhile_is_not_found(server: RunningServer) -> None:
    space = namespace()
    operation = {"namespace": space, "operation_id": f"op-{space}"}
    stored = server.store("Gone soon.", **operation)
    server.http.delete(f"/v1/memories/{stored['id']}")

    answer = server.post("/v1/memories", {"content": "Gone soon.", **operation})

    assert answer.status_code == 404
    assert count(server, space) == 0


def test_case_42_a_batch_may_be_sent_again(server: RunningServer) -> None:
    space = namespace()
    items = [{"content": f"Row {n}", "namespace": space, "dedupe": "off"} for n in range(4)]
    body = {"memories": items, "operation_id": f"op-{space}"}

    first, again = (server.post("/v1/memories/batch", body).json() for _ in range(2))

    ids = [[result["memory"]["id"] for result in answer["results"]] for answer in (first, again)]
    assert ids[0] == ids[1]
    assert count(server, space) == 4


def test_case_42_retries_at_the_same_time_store_once(server: RunningServer) -> None:
    space = namespace()
    body = {"content": "Once.", "namespace": space, "dedupe": "off", "operation_id": f"op-{space}"}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(server.post, ["/v1/memories"] * 16, [body] * 16))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert count(server, space) == 1


def test_case_42_a_retry_after_a_restart_stores_nothing_new(tmp_path: Path) -> None:
    body = {"content": "Before the restart.", "dedupe": "off", "operation_id": "op-1"}
    with running_server(tmp_path / "data") as server:
        first = server.post("/v1/memories", body).json()

    with running_server(tmp_path / "data") as server:
        again = server.post("/v1/memories", body).json()
        total = server.get("/v1/memories/count").json()["count"]

    assert (again["id"], total) == (first["id"], 1)
