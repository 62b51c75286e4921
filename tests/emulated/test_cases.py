"""Reported faults of other memories, against the deployed stack."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from infra.local.invoke import FUNCTIONS
from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack
from tests.emulated.processes import files_left_by_functions, function_processes

AT_ONCE = 16
PROCESSES = 8
A, B = ({"agent_id": "a", "user_id": name} for name in ("a", "b"))


@pytest.fixture
def of_a(operator: DeployedApi) -> DeployedApi:
    """The API with a key for the memories of user a."""
    namespace = f"{operator.namespace}/a"
    return replace(
        operator.make_key([f"write:{namespace}/**"], default_namespace=namespace)[1],
        namespace=namespace,
    )


def test_case_11_a_deleted_memory_is_gone_from_every_place(
    api: DeployedApi, stack: DeployedStack
) -> None:
    session = {"session_id": "trip", "speaker": "Aiko"}
    kept = api.store("Shall we take the night train?", turn=0, **session)
    gone = api.store("The wardrobe code is quincunx 88.", turn=1, **session)
    stack.await_index(api.namespace)
    assert api.found("quincunx")[0] == gone

    api.delete(gone)
    at_once = [api.found("quincunx", mode=mode) for mode in ("lexical", "semantic", "hybrid")]
    stack.await_index(api.namespace)
    later = [api.found("quincunx", mode=mode) for mode in ("lexical", "semantic", "hybrid")]

    assert all(gone not in found for found in (*at_once, *later))
    assert api.send("GET", f"/v1/memories/{gone}").status_code == 404
    assert api.contents().keys() == {kept}
    assert api.count() == 1
    assert stack.indexed(api.namespace).keys() == {kept}
    left = [item for item in stack.items(api.namespace) if gone in item["sk"]["S"]]
    assert "quincunx" not in str(left)
    assert {item["sk"]["S"].partition("#")[0] for item in left} <= {"MEM"}
    again = api.ask(
        201,
        "POST",
        "/v1/memories",
        {"content": "The wardrobe code is quincunx 88.", "namespace": api.namespace},
    )
    assert (again["outcome"], again["id"] != gone) == ("created", True)


def test_case_17_no_key_no_answer(api: DeployedApi) -> None:
    stranger = replace(api, key="")

    answers = [
        stranger.send("POST", "/v1/memories", {**A, "content": "x"}),
        stranger.send("POST", "/v1/memories/search", {**A, "query": "x"}),
        stranger.send("POST", "/v1/memories/batch", {"memories": [{"content": "x"}]}),
        stranger.send("GET", "/v1/memories/count", None, **A),
        stranger.send("GET", "/v1/memories"),
        stranger.send("GET", "/v1/keys"),
    ]

    assert [answer.status_code for answer in answers] == [401] * len(answers)


def test_case_17_a_key_of_a_opens_nothing_of_b_in_body_filter_or_import(
    operator: DeployedApi, of_a: DeployedApi
) -> None:
    of_b = replace(operator, namespace=f"{operator.namespace}/b")
    secret = of_b.store("Only b knows the halyard knot.", user_id="b", agent_id="b")
    mine = of_a.store("What a knows.")
    foreign = {"namespace": of_b.namespace}

    refused = [
        of_a.send("POST", "/v1/memories", {"content": "x", **B}),
        of_a.send("POST", "/v1/memories", {"content": "x", **foreign}),
        of_a.send("POST", "/v1/memories/search", {"query": "halyard", **B}),
        of_a.send("POST", "/v1/memories/search", {"query": "halyard", **foreign}),
        of_a.send("GET", "/v1/memories", None, **foreign),
        of_a.send("GET", "/v1/memories/count", None, **B),
    ]
    imported = of_a.ask(200, "POST", "/v1/memories/batch", {"memories": foreign_items(of_a, of_b)})
    by_filter = of_a.search("halyard knot", filters={"user_id": "b"})

    assert [answer.status_code for answer in refused] == [403] * len(refused)
    assert [one["status"] for one in imported["results"]] == [403, 201]
    assert by_filter["results"] == []
    assert of_a.send("GET", f"/v1/memories/{secret}").status_code == 404
    assert of_a.send("PATCH", f"/v1/memories/{secret}", {"content": "x"}).status_code == 404
    assert of_b.contents().keys() == {secret}
    assert mine in of_a.contents()


def foreign_items(of_a: DeployedApi, of_b: DeployedApi) -> list[dict[str, Any]]:
    """An import that smuggles one memory into the namespace of another."""
    return [
        {"content": "Smuggled.", "namespace": of_b.namespace},
        {"content": "Imported.", "namespace": of_a.namespace},
    ]


def test_case_25_an_import_writes_nothing_outside_of_the_temporary_folder(
    api: DeployedApi, stack: DeployedStack
) -> None:
    items = [{"content": f"Line {n}", "namespace": api.namespace} for n in range(20)]

    answer = api.ask(200, "POST", "/v1/memories/batch", {"memories": items})
    assert set(api.found("line 7", top_k=20)) == {one["memory"]["id"] for one in answer["results"]}
    stack.await_index(api.namespace)

    assert answer["stored"] == 20
    assert function_processes("store_memories") != []
    assert files_left_by_functions() == set()


def test_case_40_a_search_sees_every_write_whose_call_has_returned(api: DeployedApi) -> None:
    memory_id = api.store("The meeting is in room Hokusai.")
    stored = api.search("which room is the meeting in?")["results"]
    api.update(memory_id, content="The meeting is in room Utamaro.")
    changed = api.search("which room is the meeting in?")["results"]
    api.delete(memory_id)
    removed = api.search("which room is the meeting in?")["results"]

    assert [one["content"] for one in stored] == ["The meeting is in room Hokusai."]
    assert [one["content"] for one in changed] == ["The meeting is in room Utamaro."]
    assert removed == []


def test_case_42_a_retry_after_a_lost_answer_stores_nothing_new(api: DeployedApi) -> None:
    body = {"content": "Paid 10.", "namespace": api.namespace, "dedupe": "off"}
    operation = {"operation_id": f"op-{api.namespace}"}

    first, again = (api.ask(201, "POST", "/v1/memories", body | operation) for _ in range(2))
    other = api.send("POST", "/v1/memories", body | operation | {"content": "Paid 20."})

    assert (first["id"], first["outcome"]) == (again["id"], "created")
    assert again["outcome"] == "created"
    assert (other.status_code, other.json()["error"]["code"]) == (409, "IDEMPOTENCY_MISMATCH")
    assert api.count() == 1


def test_case_42_retries_at_the_same_time_store_once(
    api: DeployedApi, stack: DeployedStack
) -> None:
    operation = {"dedupe": "off", "operation_id": f"op-{api.namespace}"}
    body = {"content": "Once.", "namespace": api.namespace, **operation}

    store = FUNCTIONS["store_memory"]
    with stack.limited(store, PROCESSES), ThreadPoolExecutor(AT_ONCE) as threads:
        sent = [threads.submit(api.insist, "POST", "/v1/memories", body) for _ in range(AT_ONCE)]
        answers = [one.result() for one in sent]

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert api.count() == 1


def test_case_42_an_import_may_be_sent_again(api: DeployedApi) -> None:
    items = [{"content": f"Row {n}", "namespace": api.namespace} for n in range(4)]
    body = {"memories": items, "operation_id": f"op-{api.namespace}"}

    first, again = (api.ask(200, "POST", "/v1/memories/batch", body) for _ in range(2))

    ids = [[one["memory"]["id"] for one in answer["results"]] for answer in (first, again)]
    assert ids[0] == ids[1]
    assert api.count() == 4
