"""Sending sample events to deployed functions."""

import io
import json
from typing import Any

import pytest

from functions.manifest import API_FUNCTIONS
from infra.local.invoke import EVENTS, FUNCTIONS, InvocationError, invoke

STORE = next(one for one in API_FUNCTIONS if one.name == "store_memory")


class FakeLambda:
    """Two stacks with one function each."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.sent: list[tuple[str, bytes]] = []

    def get_paginator(self, _: str) -> "FakeLambda":
        return self

    def paginate(self) -> list[dict[str, Any]]:
        return [
            {"Functions": [{"FunctionName": "Other-Store1", "Handler": STORE.handler}]},
            {"Functions": [{"FunctionName": "Omoide-Store2", "Handler": STORE.handler}]},
        ]

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803
        self.sent.append((FunctionName, Payload))
        answer: dict[str, Any] = {"Payload": io.BytesIO(json.dumps({"statusCode": 201}).encode())}
        return answer | ({"FunctionError": "Unhandled"} if self.fails else {})


@pytest.mark.parametrize("fails", [False, True])
def test_an_event_goes_to_the_function_of_that_stack(fails: bool) -> None:
    client = FakeLambda(fails=fails)

    answer = invoke(client, "Omoide", STORE, b"{}")

    assert client.sent == [("Omoide-Store2", b"{}")]
    assert (answer.payload, answer.failed) == ({"statusCode": 201}, fails)


def test_a_function_that_is_not_deployed_is_named() -> None:
    with pytest.raises(InvocationError, match="Nowhere has no function store_memory"):
        invoke(FakeLambda(), "Nowhere", STORE, b"{}")


def test_every_function_has_an_event_to_send() -> None:
    for one in FUNCTIONS.values():
        assert (EVENTS / one.trigger / f"{one.name}.json").is_file()
