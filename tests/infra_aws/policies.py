"""What the statements of a role let pass of requests to the table, judged as IAM judges them."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tests.infra_aws.synthesis import Json, listed

SINGLE = ("GetItem", "DeleteItem", "UpdateItem")
LEADING_KEYS = "dynamodb:LeadingKeys"


def asked_rights(name: str, request: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[str]]]:
    """The actions a request needs, each with the partition keys it is about.

    A transaction needs the actions of its parts. A query of an index is told apart by ``:index``.
    """
    match name:
        case "TransactWriteItems":
            for part in request["TransactItems"]:
                ((kind, one),) = part.items()
                at = one["Item"] if kind == "Put" else one["Key"]
                yield f"dynamodb:{kind}Item", frozenset({at["pk"]["S"]})
        case "BatchGetItem":
            ((_, wanted),) = request["RequestItems"].items()
            yield "dynamodb:BatchGetItem", frozenset(key["pk"]["S"] for key in wanted["Keys"])
        case "PutItem":
            yield "dynamodb:PutItem", frozenset({request["Item"]["pk"]["S"]})
        case "Query":
            yield _queried(request)
        case _:
            assert name in SINGLE, f"{name} is not known to be about keys"
            yield f"dynamodb:{name}", frozenset({request["Key"]["pk"]["S"]})


def is_allowed(statements: Sequence[Json], action: str, keys: frozenset[str]) -> bool:
    """Whether one statement allows an action on all of these keys."""
    return any(_allows(one, action, keys) for one in statements)


def _queried(request: Mapping[str, Any]) -> tuple[str, frozenset[str]]:
    name, _, placeholder = request["KeyConditionExpression"].partition(" AND ")[0].partition(" = ")
    assert request["ExpressionAttributeNames"][name.strip("( ")] in {"pk", "due_pk"}
    key = request["ExpressionAttributeValues"][placeholder.strip(") ")]["S"]
    index = f":{request['IndexName']}" if "IndexName" in request else ""
    return f"dynamodb:Query{index}", frozenset({key})


def _allows(statement: Json, action: str, keys: frozenset[str]) -> bool:
    name, _, index = action.removeprefix("dynamodb:").partition(":")
    resources = [str(one) for one in listed(statement["Resource"])]
    if f"dynamodb:{name}" not in listed(statement["Action"]):
        return False
    if not any((f"/index/{index}" in one) == bool(index) for one in resources):
        return False
    conditions = statement.get("Condition", {})
    patterns = conditions.get("ForAllValues:StringLike", {}).get(LEADING_KEYS)
    return patterns is None or all(
        any(fnmatchcase(key, pattern) for pattern in listed(patterns)) for key in keys
    )
