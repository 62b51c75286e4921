"""The page of all operations, docs/api.md, from the manifest and what is said of each."""

import json
from collections.abc import Iterator
from pathlib import Path

from functions.manifest import API_FUNCTIONS, ApiFunction
from functions.operation_docs import OPERATION_DOCS
from omoide.api.errors import STATUS

OPERATIONS_FILE = Path(__file__).parents[1] / "docs" / "api.md"

_HEAD = """\
# HTTP API

Written by `make docs` from `functions/operation_docs.py` and the manifest; change it there. A
running server shows the same with every field at `/docs`; the document itself is
`functions/openapi.json`, served at `/openapi.json`.

Bodies are JSON in UTF-8, sent as `application/json`, at most 1 MiB (batches 4 MiB). Times are
RFC 3339, answered in UTC with milliseconds and `Z`; a time without a zone is UTC. Ids are UUIDs.
A key goes into `Authorization: Bearer omo_...`; on the loopback interface none is needed unless
the server was started with `--require-key`.

## Three shapes

The shape of a request is told by its fields, and the answer comes in the same shape.

{shapes}

Where no field tells (reading by id, a retrieval), the key's `shape` does. Without a namespace the
key's default namespace is meant (`default` without a key). A namespace with a template that was not
filled in (`{{userId}}`), with `.` or `..` as a segment, or with characters that turn the direction
of writing is a 422.

A memory is `expired` from its `expires_at` on, whatever its status was; the count of a namespace
holds it as it holds archived ones. `HEAD` is answered where `GET` is, by the local server.

## Safe to repeat

`operation_id` in the body, or the header `Idempotency-Key`, makes a write safe to repeat for 24
hours: the same request again gets the first answer, with the memory as it is by then; another
request under the same id is a 409. Items of a batch go by `<operation_id>#<index>`.

A memory's `version`, also its `ETag`, goes into `If-Match` to change only what was seen: 409 when
somebody else was faster.

## Errors

Every error is
`{{"error": {{"code", "message", "details": [{{"field", "problem"}}], "request_id"}}}}`.
"""
_SHAPES = (
    (
        "`agent_id` and `user_id` without `namespace`",
        "memex",
        "the namespace is `agent/<agent_id>/user/<user_id>`, percent-encoded; importance 0..2; "
        "content up to 8,000 characters; no duplicates are looked for, a store is always 201; "
        "searches are by meaning and recency (`alpha`); errors add a `detail` string",
    ),
    (
        "`content_text`, `importance_score` or `is_archived`",
        "DSE",
        "its 45 field names; unknown fields are ignored",
    ),
    ("anything else", "native", "strict: an unknown field is a 422"),
)
_ERROR_NOTES = {
    "MALFORMED_BODY": "not JSON, not UTF-8, empty, a name twice, NaN, nested deeper than 64 levels",
    "MALFORMED_HEADER": "a header field that may be given once is given twice",
    "UNAUTHENTICATED": "no key where one is needed, or not a valid one",
    "FORBIDDEN": "the key lacks the right, or another web site asks",
    "NOT_FOUND": "unknown, deleted, or not visible to the caller: never told apart",
    "METHOD_NOT_ALLOWED": "`Allow` names what the path takes",
    "CONFLICT": "the memory has another version, or its text is another memory's",
    "IDEMPOTENCY_MISMATCH": "the operation id was used for another request",
    "PAYLOAD_TOO_LARGE": "a body over its limit, a content of more than 32,768 characters",
    "UNSUPPORTED_MEDIA_TYPE": "the body is not `application/json`",
    "VALIDATION_ERROR": "`details` names each field at fault",
    "RATE_LIMITED": "`Retry-After` says when to come back",
    "INTERNAL": "our fault; the log has it under the request id",
    "UNAVAILABLE": "a part is down or busy; try again",
}


def operations_page() -> str:
    """Return the page."""
    parts = [_HEAD.format(shapes=_shapes()), _errors(), "\n## Operations\n\n", _table()]
    parts += [_operation(function) for function in API_FUNCTIONS]
    return "".join(parts)


def _shapes() -> str:
    rows = [f"| {fields} | {shape} | {differs} |" for fields, shape, differs in _SHAPES]
    return "\n".join(["| fields | shape | what differs |", "|---|---|---|", *rows])


def _errors() -> str:
    status = {kind.code: number for kind, number in STATUS.items()}
    status["IDEMPOTENCY_MISMATCH"] = status["CONFLICT"]
    rows = [f"| {status[code]} | `{code}` | {note} |" for code, note in _ERROR_NOTES.items()]
    return "\n".join(["", "| status | code | when |", "|---|---|---|", *rows, ""])


def _table() -> str:
    rows = [
        f"| [{function.name}](#{function.name}) | {_routes(function)} "
        f"| {OPERATION_DOCS[function.name].summary} |"
        for function in API_FUNCTIONS
    ]
    return "\n".join(["| operation | route | |", "|---|---|---|", *rows, ""])


def _operation(function: ApiFunction) -> str:
    doc = OPERATION_DOCS[function.name]
    lines = ["", f"### {function.name}", "", f"{_routes(function)}: {doc.summary}"]
    if doc.description:
        lines += ["", doc.description]
    parameters = ", ".join(f"`{name}`" for name in _query_names(function.name))
    if parameters:
        lines += ["", f"Query: {parameters}."]
    if doc.headers:
        lines += ["", "Headers: " + ", ".join(f"`{name}`" for name in doc.headers) + "."]
    for shape, body in doc.examples.items():
        lines += ["", f"In {shape} shape:", "", "```json"]
        lines += [json.dumps(body, ensure_ascii=False, indent=2), "```"]
    statuses = sorted({*doc.answers, *doc.errors})
    lines += ["", "Answers: " + ", ".join(str(status) for status in statuses) + ".", ""]
    return "\n".join(lines)


def _query_names(name: str) -> Iterator[str]:
    yield from dict.fromkeys(
        field for model in OPERATION_DOCS[name].query for field in model.model_fields
    )


def _routes(function: ApiFunction) -> str:
    return ", ".join(f"`{route.method} {route.path}`" for route in function.routes)
