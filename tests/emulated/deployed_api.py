"""Requests to the deployed API."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import httpx

T = TypeVar("T")

PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class DeployedApi:
    """The API with one key and one namespace.

    Attributes:
        http: Connections.
        key: Sent with each request; none when empty.
        namespace: Of what is stored and looked for.
    """

    http: httpx.Client
    key: str
    namespace: str

    def send(self, method: str, path: str, body: object = None, **query: str) -> httpx.Response:
        """Send one request."""
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return self.http.request(method, path, headers=headers, json=body, params=query)

    def ask(self, status: int, method: str, path: str, body: object = None, **query: str) -> Any:
        """Send one request and return its answer, which must have this status."""
        answer = self.send(method, path, body, **query)
        assert answer.status_code == status, answer.text[:500]
        return answer.json() if answer.content else None

    def store(self, content: str, **fields: object) -> str:
        """Store a memory; return its id."""
        body = {"content": content, "namespace": self.namespace, **fields}
        return self.ask(201, "POST", "/v1/memories", body)["id"]

    def search(self, query: str, **fields: object) -> dict[str, Any]:
        """Search the namespace."""
        body = {"query": query, "namespace": self.namespace, **fields}
        return self.ask(200, "POST", "/v1/memories/search", body)

    def found(self, query: str, **fields: object) -> list[str]:
        """The ids a search finds, best first."""
        return [one["id"] for one in self.search(query, **fields)["results"]]

    def count(self) -> int:
        """The number of memories of the namespace."""
        return self.ask(200, "GET", "/v1/memories/count", namespace=self.namespace)["count"]

    def make_key(self, scopes: Sequence[str], **fields: object) -> tuple[str, "DeployedApi"]:
        """Make a key; return its id and the API with it."""
        made = self.ask(201, "POST", "/v1/keys", {"name": "e2e", "scopes": scopes, **fields})
        return made["key_id"], DeployedApi(self.http, made["token"], self.namespace)


def eventually(look: Callable[[], T], is_right: Callable[[T], bool]) -> T:
    """Look again and again until it is right, as long as background work may take."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_right(seen := look()):
        assert time.monotonic() < deadline, f"still: {seen!r}"
        time.sleep(0.2)
    return seen


def await_index(namespace: str) -> None:
    """Wait until the index has taken every write of a namespace; at once without an index."""
    if "OMOIDE_OPENSEARCH_URL" in os.environ:
        eventually(lambda: _pending_writes(namespace), lambda count: count == 0)


def _pending_writes(namespace: str) -> int:
    from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

    client = cast("Any", Session()).create_client("dynamodb")
    answer = client.query(
        TableName=os.environ["OMOIDE_TABLE"],
        KeyConditionExpression="pk = :pk AND begins_with(sk, :pending)",
        ExpressionAttributeValues={":pk": {"S": f"NS#{namespace}"}, ":pending": {"S": "PEND#"}},
        ConsistentRead=True,
        Select="COUNT",
    )
    return int(answer["Count"])
