"""The deployed stack, end to end over HTTP."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from infra.local.invoke import FUNCTIONS
from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack, eventually

STORES = 100
UPDATES = 50
PROCESSES = 8
"""Of one function at once: as many as this machine can start within the time of a request."""

STORE, UPDATE = FUNCTIONS["store_memory"], FUNCTIONS["update_memory"]


def test_what_is_stored_is_indexed_and_found_by_meaning(
    api: DeployedApi, stack: DeployedStack
) -> None:
    tea = api.store("Mika drinks oolong in the afternoon.")
    api.store("The blue van needs new tyres.")

    stack.await_index(api.namespace)
    answer = eventually(
        lambda: api.search("午後に何を飲みますか"), lambda answer: not answer["degraded"]
    )

    assert answer["results"][0]["id"] == tea
    assert stack.indexed(api.namespace) == stack.recorded(api.namespace)


def test_equal_texts_stored_at_once_are_one_memory(api: DeployedApi, stack: DeployedStack) -> None:
    body = {"content": "The office closes at six.", "namespace": api.namespace}

    with stack.limited(STORE, PROCESSES), ThreadPoolExecutor(STORES) as threads:
        sent = [threads.submit(api.insist, "POST", "/v1/memories", body) for _ in range(STORES)]
        answers = [one.result() for one in sent]

    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: STORES - 1}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert api.count() == 1


def test_one_of_many_updates_of_the_same_version_wins(
    api: DeployedApi, stack: DeployedStack
) -> None:
    memory_id = api.store("The meeting is on Monday.")
    path = f"/v1/memories/{memory_id}"
    bodies = [{"content": f"The meeting is in week {number}."} for number in range(UPDATES)]

    with stack.limited(UPDATE, PROCESSES), ThreadPoolExecutor(UPDATES) as threads:
        sent = [threads.submit(api.insist, "PATCH", path, body, version=1) for body in bodies]
        answers = [one.result() for one in sent]

    (won,) = [answer.json() for answer in answers if answer.status_code == 200]
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: UPDATES - 1}
    assert api.contents() == {memory_id: won["content"]}


def test_nobody_passes_the_authorizer_without_a_key_that_is_right(api: DeployedApi) -> None:
    wrong = api.key[:-1] + ("0" if api.key[-1] != "0" else "1")

    for key in ("", "omo_example", wrong):
        stranger = DeployedApi(api.http, key, api.namespace)
        assert stranger.send("GET", "/v1/memories/count").status_code == 401


def test_a_revoked_key_is_refused(api: DeployedApi) -> None:
    key_id, other = api.make_key([f"write:{api.namespace}"], default_namespace=api.namespace)
    api.ask(204, "DELETE", f"/v1/keys/{key_id}")

    assert other.send("GET", "/v1/memories/count").status_code == 401


def test_a_key_neither_reads_nor_finds_what_is_anothers(api: DeployedApi) -> None:
    memory_id = api.store("The safe opens with 4711.")
    foreign = f"{api.namespace}-other"
    _, other = api.make_key([f"write:{foreign}"], default_namespace=foreign)

    assert other.send("GET", f"/v1/memories/{memory_id}").status_code == 404
    assert other.send("DELETE", f"/v1/memories/{memory_id}").status_code == 404
    refused = other.send(
        "POST", "/v1/memories/search", {"query": "safe", "namespace": api.namespace}
    )
    assert refused.status_code == 403
    assert api.found("how does the safe open") == [memory_id]


def test_routes_that_need_no_key_answer_without_one(api: DeployedApi) -> None:
    stranger = DeployedApi(api.http, "", "")

    assert stranger.ask(200, "GET", "/health")["db"] == "ok"
    assert stranger.ask(200, "GET", "/health/ready")["status"]
