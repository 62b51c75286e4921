"""Every function, packaged as it is deployed, under Amazon's runtime client."""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.manifest import (
    API_FUNCTIONS,
    AUTHORIZER,
    QUEUE_FUNCTIONS,
    RULE_FUNCTIONS,
    STREAM_FUNCTIONS,
    ApiFunction,
    Function,
)
from infra.local.lambdas.events import call, named, sample
from infra.local.lambdas.runtime_api import LambdaFunction, Outcome
from infra.local.lambdas.unpacked import Deployed

Run = Callable[..., LambdaFunction]

STORE = named("store_memory")


@pytest.fixture
def run(deployed: Deployed, aws: dict[str, str], tmp_path: Path) -> Iterator[Run]:
    """Starts functions and ends them."""
    started: list[LambdaFunction] = []

    def start(function: Function, *, settings: dict[str, str] | None = None, **how: Any) -> Any:
        scratch = tmp_path / f"{function.name}{len(started)}"
        made = deployed.function(function, aws | (settings or {}), scratch, **how)
        started.append(made)
        return made

    yield start
    for one in started:
        one.close()


def answered(outcome: Outcome, status: int) -> Any:
    assert not outcome.failed, outcome.payload
    assert outcome.payload["statusCode"] == status, outcome.payload
    return json.loads(outcome.payload["body"] or "null")


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda one: one.name)
def test_a_function_answers_its_sample_event(
    run: Run, deployed: Deployed, function: ApiFunction
) -> None:
    before = deployed.everything()

    outcome = run(function).invoke(sample(function))

    assert not outcome.failed, outcome.payload
    may_be_down = function.name == "get_readiness"
    assert outcome.payload["statusCode"] < 500 or may_be_down, outcome.payload
    assert deployed.everything() == before


def test_the_authorizer_refuses_a_stranger_and_knows_a_key(run: Run) -> None:
    create = named("create_key")
    made = answered(
        run(create).invoke(call(create, body={"name": "bot", "scopes": ["write:team/**"]})), 201
    )
    authorizer = run(AUTHORIZER)
    event = sample(AUTHORIZER)

    refused = authorizer.invoke(event)
    passed = authorizer.invoke(event | {"authorizationToken": f"Bearer {made['token']}"})

    assert refused.failed
    assert refused.payload["errorMessage"] == "Unauthorized"
    assert not passed.failed
    assert passed.payload["context"]["scopes"] == "write:team/**"


@pytest.mark.parametrize("function", QUEUE_FUNCTIONS, ids=lambda one: one.name)
def test_a_function_works_off_its_sample_messages(run: Run, function: Function) -> None:
    outcome = run(function).invoke(sample(function))

    assert (outcome.failed, outcome.payload) == (False, {"batchItemFailures": []})


@pytest.mark.parametrize("function", STREAM_FUNCTIONS, ids=lambda one: one.name)
def test_without_an_index_the_stream_is_asked_to_come_again(run: Run, function: Function) -> None:
    outcome = run(function).invoke(sample(function))

    assert not outcome.failed, outcome.payload
    assert set(outcome.payload) == {"batchItemFailures"}


@pytest.mark.parametrize("function", RULE_FUNCTIONS, ids=lambda one: one.name)
def test_a_function_of_the_clock_fails_only_because_the_index_is_down(
    run: Run, function: Function
) -> None:
    outcome = run(function, timeout_s=60).invoke(sample(function))

    assert not outcome.failed or outcome.payload["errorType"] == "UnavailableError"


def test_what_one_function_stored_another_reads_counts_and_finds(run: Run) -> None:
    get, count, search = named("get_memory"), named("count_memories"), named("search_memories")
    namespace = {"namespace": "team/kitchen"}
    body = {"content": "Mika drinks oolong in the afternoon.", **namespace}
    stored = answered(run(STORE).invoke(call(STORE, body=body)), 201)
    memory_id = stored["id"]

    read = answered(run(get).invoke(call(get, memory_id=memory_id)), 200)
    counted = answered(run(count).invoke(call(count, query=namespace)), 200)
    found = answered(
        run(search).invoke(call(search, body={"query": "午後に何を飲みますか", **namespace})), 200
    )

    assert read["content"] == body["content"]
    assert counted["count"] == 1
    assert [one["id"] for one in found["results"]] == [memory_id]
    assert found["degraded"] is True


def test_a_function_that_cannot_be_loaded_says_so_before_its_first_event(run: Run) -> None:
    function = run(STORE, layers=False)

    outcome = function.invoke(sample(STORE))

    assert outcome.failed
    assert outcome.payload["errorType"] == "Runtime.ImportModuleError"
    assert function.wait() == 1


def test_a_setting_that_does_not_fit_is_named_in_the_log_and_not_to_callers(run: Run) -> None:
    get = named("get_memory")
    function = run(get, settings={"OMOIDE_EMBEDDING_CACHE": "much"})

    outcome = function.invoke(call(get, memory_id="01890a5d-ac96-774b-bcce-b302099a8057"))

    error = answered(outcome, 500)["error"]
    assert error["code"] == "INTERNAL"
    assert "much" not in json.dumps(error)
    assert "SettingError" in function.logged()


def test_after_a_timeout_the_next_event_is_answered_by_a_new_process(
    run: Run, aws: dict[str, str]
) -> None:
    count = replace(named("count_memories"), timeout_s=3)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        function = run(count, settings={"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port_of(deaf)}"})
        late = function.invoke(call(count))
        again = function.invoke(call(named("get_service")) | {"path": "/nowhere"})

    assert late.failed
    assert "timed out" in late.payload["errorMessage"]
    answered(again, 404)


def test_what_was_acknowledged_outlives_sigterm(run: Run) -> None:
    body = {"content": "The blue van needs new tyres.", "namespace": "team/cars"}
    function = run(STORE)
    stored = answered(function.invoke(call(STORE, body=body)), 201)

    status = function.signal(signal.SIGTERM)
    again = answered(function.invoke(call(STORE, body=body)), 200)

    assert status in {0, -signal.SIGTERM}
    assert again["outcome"] == "duplicate"
    assert stored["outcome"] == "created"


def port_of(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])
