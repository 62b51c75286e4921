"""Requests to the deployed API."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

COME_AGAIN = (429, 503)
"""Throttled, by the gateway or by Lambda; others kept writing the same records."""

PATIENCE_S = 120.0
PAUSE_S = (0.2, 1.0)


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
        return self.http.request(method, path, headers=self._headers, json=body, params=query)

    def insist(
        self, method: str, path: str, body: object = None, *, version: int | None = None
    ) -> httpx.Response:
        """Send one request again and again while it is told to come again, as clients do.

        Args:
            method: Upper case.
            path: Without query.
            body: Sent as JSON; None sends none.
            version: Expected of the memory.
        """
        headers = self._headers | ({} if version is None else {"If-Match": str(version)})
        deadline = time.monotonic() + PATIENCE_S
        while True:
            answer = self.http.request(method, path, headers=headers, json=body)
            if answer.status_code not in COME_AGAIN:
                return answer
            assert time.monotonic() < deadline, answer.text
            time.sleep(random.uniform(*PAUSE_S))

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def ask(self, status: int, method: str, path: str, body: object = None, **query: str) -> Any:
        """Send one request and return its answer, which must have this status."""
        answer = self.send(method, path, body, **query)
        assert answer.status_code == status, answer.text[:500]
        return answer.json() if answer.content else None

    def store(self, content: str, **fields: object) -> str:
        """Store a memory; return its id."""
        body = {"content": content, "namespace": self.namespace, **fields}
        return self.ask(201, "POST", "/v1/memories", body)["id"]

    def update(self, memory_id: str, **fields: object) -> None:
        """Change a memory."""
        self.ask(200, "PATCH", f"/v1/memories/{memory_id}", fields)

    def delete(self, memory_id: str) -> None:
        """Delete a memory."""
        self.ask(204, "DELETE", f"/v1/memories/{memory_id}")

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

    def contents(self) -> dict[str, str]:
        """The content of every memory of the namespace, by id."""
        query = {"namespace": self.namespace, "limit": "100"}
        found: dict[str, str] = {}
        while True:
            page = self.ask(200, "GET", "/v1/memories", None, **query)
            found |= {one["id"]: one["content"] for one in page["memories"]}
            if page["next_cursor"] is None:
                return found
            query["cursor"] = page["next_cursor"]

    def make_key(self, scopes: Sequence[str], **fields: object) -> tuple[str, "DeployedApi"]:
        """Make a key; return its id and the API with it."""
        made = self.ask(201, "POST", "/v1/keys", {"name": "e2e", "scopes": scopes, **fields})
        return made["key_id"], DeployedApi(self.http, made["token"], self.namespace)
