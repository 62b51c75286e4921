"""The sample events do what their functions promise, on a folder that holds what they speak of."""

import json
from pathlib import Path
from typing import Any

import pytest

from functions.manifest import API_FUNCTIONS, ApiFunction
from functions.operation_docs import OPERATION_DOCS
from omoide.api.principals import from_authorizer
from tests.unit.api.api_desk import ApiDesk

EVENTS = Path(__file__).resolve().parents[3] / "events" / "api"


def sample(function: ApiFunction) -> dict[str, Any]:
    return json.loads((EVENTS / f"{function.name}.json").read_text(encoding="utf-8"))


def prepared(desk: ApiDesk, event: dict[str, Any]) -> dict[str, Any]:
    """The event, about a memory and a key that are there."""
    authorizer = event["requestContext"].get("authorizer")
    if authorizer is None:
        return event
    desk.principal = from_authorizer(authorizer)
    text = json.dumps(event)
    parameters: dict[str, str] = event["pathParameters"] or {}
    for name, named in parameters.items():
        text = text.replace(named, MAKERS[name](desk))
    return json.loads(text)


def make_memory(desk: ApiDesk) -> str:
    return desk.store("Mika drinks oolong.")["id"]


def make_key(desk: ApiDesk) -> str:
    return desk.call("create_key", {"name": "x", "scopes": ["read:team/support/**"]}).json["key_id"]


MAKERS = {"memory_id": make_memory, "key_id": make_key}


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_a_sample_event_is_answered_as_documented(desk: ApiDesk, function: ApiFunction) -> None:
    event = prepared(desk, sample(function))

    answer = desk.send(function.name, event)

    doc = OPERATION_DOCS[function.name]
    assert answer.status in doc.answers
    assert answer.status < 300
    models = doc.answers[answer.status]
    if models:
        models[0].model_validate_json(answer.text)
    else:
        assert answer.text == ""


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_a_sample_event_goes_to_its_function(function: ApiFunction) -> None:
    event = sample(function)
    parameters: dict[str, str] = event["pathParameters"] or {}
    path = function.path.format(**parameters)

    assert (event["httpMethod"], event["resource"], event["path"]) == (
        function.method,
        function.path,
        path,
    )
    assert ("authorizer" in event["requestContext"]) != function.is_public
