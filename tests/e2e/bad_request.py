"""A request to be refused, and the operations it may go to."""

import json
from dataclasses import dataclass, field
from typing import Any

OTHER_ID = "0190a5e4-0000-7000-8000-00000000dead"
FOREIGN_SITE = "https://evil.example"
TOO_LONG = "a" * 32_769
DEEP = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
UNFILLED = ("users/{userId}/facts", "users/${user_id}", "a/{{name}}", "{actorId}")

BODY = "body"
"""What is named when the body as a whole is at fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRequest:
    """One request to be refused.

    Attributes:
        name: What is wrong with it.
        operation: The operation of the manifest that it goes to.
        method: HTTP method.
        path: Path with query.
        body: Raw body.
        headers: Further headers.
        status: Of the refusal.
        code: Of the refusal.
        field: What ``details`` names.
    """

    name: str
    operation: str
    method: str
    path: str
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    status: int = 422
    code: str = "VALIDATION_ERROR"
    field: str

    def __str__(self) -> str:
        return f"{self.operation}: {self.name}"


def json_bytes(body: object) -> bytes:
    return json.dumps(body).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An operation that takes a body, and a body it accepts."""

    operation: str
    method: str
    path: str
    good: dict[str, Any]
    text: str

    def bad(self, name: str, body: bytes | dict[str, Any], at: str, **how: Any) -> BadRequest:
        raw = body if isinstance(body, bytes) else json_bytes({**self.good, **body})
        return BadRequest(
            name=name,
            operation=self.operation,
            method=self.method,
            path=self.path,
            body=raw,
            field=at,
            **how,
        )


STORE = Target(
    operation="store_memory",
    method="POST",
    path="/v1/memories",
    good={"content": "A memory."},
    text="content",
)
SEARCH = Target(
    operation="search_memories",
    method="POST",
    path="/v1/memories/search",
    good={"query": "a memory"},
    text="query",
)
RETRIEVE = Target(
    operation="retrieve_context",
    method="POST",
    path="/v1/memories/retrieve",
    good={"query": "a memory"},
    text="query",
)
SURFACE = Target(
    operation="surface_memories",
    method="POST",
    path="/v1/memories/surface",
    good={"context": "a moment", "session_id": "s"},
    text="context",
)
UPDATE = Target(
    operation="update_memory",
    method="PATCH",
    path=f"/v1/memories/{OTHER_ID}",
    good={"content": "A memory."},
    text="content",
)
BATCH = Target(
    operation="store_memories",
    method="POST",
    path="/v1/memories/batch",
    good={"memories": [{"content": "A memory."}]},
    text="memories",
)
KEY = Target(
    operation="create_key",
    method="POST",
    path="/v1/keys",
    good={"name": "key", "scopes": ["read:team/a/**"], "default_namespace": "team/a"},
    text="name",
)
