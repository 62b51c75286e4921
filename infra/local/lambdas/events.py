"""The events that functions behind the API are given."""

import json
from pathlib import Path
from typing import Any

from functions.manifest import API_FUNCTIONS, ApiFunction, Function
from omoide.api.principals import to_authorizer
from omoide.domain.principal import Principal, Right, Scope

_EVENTS = Path(__file__).parents[3] / "events"
_OPERATOR = to_authorizer(
    Principal(
        key_id="operator",
        scopes=(Scope(right=Right.ADMIN, pattern="**"),),
        default_namespace="default",
    )
)


def named(name: str) -> ApiFunction:
    """The function of an operation."""
    return next(one for one in API_FUNCTIONS if one.name == name)


def sample(function: Function) -> dict[str, Any]:
    """The sample event of a function."""
    file = _EVENTS / function.trigger / f"{function.name}.json"
    return json.loads(file.read_text(encoding="utf-8"))


def call(
    function: ApiFunction, *, body: object = None, query: dict[str, str] | None = None, **path: str
) -> dict[str, Any]:
    """A proxy event of an operator, as API Gateway makes it behind the authorizer.

    Args:
        function: Which.
        body: What is sent as JSON; None sends none.
        query: Parameters of the query.
        path: Parameters of the path.
    """
    event = sample(function)
    event["body"] = None if body is None else json.dumps(body)
    event["pathParameters"] = path or None
    event["path"] = function.path.format(**path)
    event["queryStringParameters"] = query
    event["multiValueQueryStringParameters"] = {k: [v] for k, v in (query or {}).items()} or None
    for fields in ("headers", "multiValueHeaders"):
        event[fields].pop("Idempotency-Key", None)
    event["requestContext"]["authorizer"] = _OPERATOR
    return event
