"""`make invoke F=store_memory`: send the sample event of a function to where it is deployed."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from functions.manifest import API_FUNCTIONS, AUTHORIZER, BACKGROUND_FUNCTIONS, Function
from infra.local.emulate import DEFAULT_PORT
from infra.local.emulator import HOST, access_to

EVENTS = Path(__file__).parents[2] / "events"
FUNCTIONS: Mapping[str, Function] = {
    one.name: one for one in (*API_FUNCTIONS, AUTHORIZER, *BACKGROUND_FUNCTIONS)
}


class InvocationError(Exception):
    """The function is not there; the message says where it was looked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Send the event and print the answer; 1 when the function failed."""
    parser = argparse.ArgumentParser(prog="make invoke F=", description=__doc__)
    parser.add_argument("function", choices=sorted(FUNCTIONS))
    parser.add_argument("--event", type=Path, help="a file to send instead of the sample")
    parser.add_argument("--stack", default="Omoide", help="name of the stack, default Omoide")
    parser.add_argument(
        "--aws", action="store_true", help="the account of the environment, not the emulator"
    )
    given = parser.parse_args(arguments)
    if not given.aws:
        os.environ |= access_to(os.environ.get("AWS_ENDPOINT_URL", f"http://{HOST}:{DEFAULT_PORT}"))
    function = FUNCTIONS[given.function]
    sample = EVENTS / function.trigger / f"{function.name}.json"
    try:
        answer = invoke(_client(), given.stack, function, (given.event or sample).read_bytes())
    except InvocationError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(json.dumps(answer.payload, ensure_ascii=False, indent=2) + "\n")
    return 1 if answer.failed else 0


class Answer:
    """What a function returned.

    Attributes:
        payload: The answer, or the error.
        failed: Whether it is an error.
    """

    __slots__ = ("failed", "payload")

    def __init__(self, payload: object, *, failed: bool) -> None:
        self.payload = payload
        self.failed = failed


def invoke(client: Any, stack: str, function: Function, event: bytes) -> Answer:  # noqa: ANN401 - botocore makes its clients at run time
    """Send an event to a function of a stack.

    Raises:
        InvocationError: The stack has no such function there.
    """
    name = deployed_name(client, stack, function)
    answer = client.invoke(FunctionName=name, Payload=event)
    payload = json.loads(answer["Payload"].read() or b"null")
    return Answer(payload, failed="FunctionError" in answer)


def deployed_name(client: Any, stack: str, function: Function) -> str:  # noqa: ANN401 - see above
    """The name that CloudFormation gave to a function of a stack.

    Raises:
        InvocationError: The stack has no such function there.
    """
    pages: Iterable[Mapping[str, Any]] = client.get_paginator("list_functions").paginate()
    found = [
        one["FunctionName"]
        for page in pages
        for one in page["Functions"]
        if one.get("Handler") == function.handler and one["FunctionName"].startswith(f"{stack}-")
    ]
    if not found:
        raise InvocationError(f"the stack {stack} has no function {function.name} there")
    return found[0]


def _client() -> Any:  # noqa: ANN401 - see above
    from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

    return cast("Any", Session()).create_client("lambda")


if __name__ == "__main__":
    sys.exit(main())
