"""The HTTP API as far as the gateway calls it, working, in memory, behind an httpx transport."""

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import httpx

Json = dict[str, Any]

NOW = "2026-01-02T03:04:05.678Z"
BASE_URL = "http://api.test"

_MEMORY: Json = {
    "version": 1, "summary": None, "content_type": "text", "language": "en", "tags": [],
    "entities": [], "metadata": {}, "memory_type": "semantic", "importance": 0.5,
    "confidence": 0.5, "status": "active", "is_archived": False, "pinned": False,
    "resolved": True, "strength": 0.75, "warm": False, "created_at": NOW, "updated_at": NOW,
    "stored_at": NOW, "event_time": NOW, "event_end": None, "expires_at": None, "agent_id": None,
    "user_id": None, "session_id": None, "speaker": None, "turn": None, "superseded_by": None,
    "source_type": None, "source_id": None,
}  # fmt: skip
_BY_ID = re.compile(r"/v1/memories/([0-9a-f-]{36})")


@dataclass
class FakeApi:
    """A store of memories that answers the API's native and memex's shapes.

    Attributes:
        memories: What is stored, by id, in the native shape.
        requests: Every request that came.
        key: When set, requests must carry it.
        refusal: When set, what every request is answered with: status, error, headers.
    """

    memories: dict[str, Json] = field(default_factory=dict[str, Json])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    key: str | None = None
    refusal: tuple[int, Json, dict[str, str]] | None = None

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.answer)

    def connect(self) -> httpx.AsyncClient:
        """A client of this API, as the gateway's client factory."""
        return httpx.AsyncClient(transport=self.transport(), base_url=BASE_URL)

    def connect_blocking(self) -> httpx.Client:
        """The same, synchronous: as an in-process transport is."""
        return httpx.Client(transport=self.transport(), base_url=BASE_URL)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.refusal is not None:
            status, error, headers = self.refusal
            return httpx.Response(status, json={"error": error}, headers=headers)
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return _error(401, "UNAUTHENTICATED", "a valid key is needed")
        return self._operation(request)(request)

    def last_body(self) -> Json:
        return cast("Json", json.loads(self.requests[-1].content))

    def _operation(self, request: httpx.Request) -> Callable[[httpx.Request], httpx.Response]:
        operations = {
            ("POST", "/v1/memories"): self._store,
            ("POST", "/v1/memories/search"): self._search,
            ("POST", "/v1/memories/retrieve"): self._retrieve,
            ("POST", "/v1/memories/surface"): self._surface,
            ("GET", "/v1/memories/count"): self._count,
        }
        method, path = request.method, request.url.path
        if (method, path) in operations:
            return operations[method, path]
        assert _BY_ID.fullmatch(path), path
        return {"GET": self._get, "PATCH": self._update, "DELETE": self._delete}[method]

    def _store(self, request: httpx.Request) -> httpx.Response:
        body = cast("Json", json.loads(request.content))
        if not 1 <= len(body["content"]) <= 32_768:
            problem = "must have at most 32768 characters"
            return _error(413, "PAYLOAD_TOO_LARGE", "too large", ("content", problem))
        is_memex = "agent_id" in body and "user_id" in body and "namespace" not in body
        namespace = _namespace_of(body)
        same = [
            known
            for known in self.memories.values()
            if (known["content"], known["namespace"]) == (body["content"], namespace)
        ]
        if same and not is_memex:
            return httpx.Response(200, json={**same[0], **_receipt("duplicate", body)})
        given = {name: value for name, value in body.items() if name in _MEMORY}
        memory = {
            "id": str(uuid.uuid4()), **_MEMORY, **given, "namespace": namespace,
            "content": body["content"],
        }  # fmt: skip
        self.memories[memory["id"]] = memory
        if is_memex:
            return httpx.Response(201, json=_memex(memory))
        return httpx.Response(201, json={**memory, **_receipt("created", body)})

    def _search(self, request: httpx.Request) -> httpx.Response:
        body = cast("Json", json.loads(request.content))
        namespace = _namespace_of(body)
        words = set(str(body["query"]).lower().split())
        found = [
            memory
            for memory in self.memories.values()
            if memory["namespace"] == namespace
            and words & set(str(memory["content"]).lower().split())
        ][: body.get("top_k") or 10]
        if "agent_id" in body:
            results = [{**_memex(memory), "score": 0.8765} for memory in found]
            return httpx.Response(
                200, json={"results": results, "query": body["query"], "total": len(results)}
            )
        results = [
            {**memory, "score": 1.25, "relevance": 0.9, "similarity": 0.8, "matched": ["dense"]}
            for memory in found
        ]
        return httpx.Response(
            200,
            json={
                "results": results, "query": body["query"], "namespace": namespace,
                "total": len(results), "low_confidence": not results, "filtered_count": 0,
                "degraded": False, "took_ms": 1.5,
            },
        )  # fmt: skip

    def _surface(self, request: httpx.Request) -> httpx.Response:
        body = cast("Json", json.loads(request.content))
        asked = {"query": body["context"], "namespace": body.get("namespace")}
        found = self._retrieve(httpx.Request("POST", request.url, json=asked))
        answer: Json = {**cast("Json", json.loads(found.content)), "reminders": []}
        told = ("items", "reminders", "text", "total_tokens", "namespace", "degraded")
        return httpx.Response(200, json={name: answer[name] for name in told})

    def _retrieve(self, request: httpx.Request) -> httpx.Response:
        body = cast("Json", json.loads(request.content))
        found = cast("Json", json.loads(self._search(request).content))
        names = ("id", "memory_type", "score", "relevance", "confidence", "created_at")
        items: list[Json] = [
            {**{name: memory[name] for name in names}, "tier": "full", "text": memory["content"],
             "tokens": 7}
            for memory in found["results"]
        ]  # fmt: skip
        said = "\n".join(item["text"] for item in items)
        return httpx.Response(
            200,
            json={
                "items": items, "text": f"<memories-x>\n{said}\n</memories-x>" if items else "",
                "total_tokens": 9 * len(items), "token_budget": body.get("token_budget", 4_000),
                "token_target": "o200k", "token_factor": 1.3, "cascade_stage": "precision",
                **{name: found[name] for name in ("query", "namespace", "low_confidence")},
                "degraded": False,
            },
        )  # fmt: skip

    def _count(self, request: httpx.Request) -> httpx.Response:
        query = dict(request.url.params)
        namespace = _namespace_of(query)
        count = sum(memory["namespace"] == namespace for memory in self.memories.values())
        if "agent_id" in query:
            return httpx.Response(200, json={**query, "count": count})
        return httpx.Response(200, json={"namespace": namespace, "count": count})

    def _get(self, request: httpx.Request) -> httpx.Response:
        memory = self.memories.get(_id_of(request))
        return _not_found() if memory is None else httpx.Response(200, json=memory)

    def _update(self, request: httpx.Request) -> httpx.Response:
        memory = self.memories.get(_id_of(request))
        if memory is None:
            return _not_found()
        expected = request.headers.get("if-match")
        if expected is not None and int(expected) != memory["version"]:
            return _error(409, "CONFLICT", "the memory has another version")
        memory.update(json.loads(request.content), version=memory["version"] + 1)
        return httpx.Response(200, json=memory)

    def _delete(self, request: httpx.Request) -> httpx.Response:
        memory = self.memories.get(_id_of(request))
        agent_id = request.url.params.get("agent_id")
        if memory is None or agent_id not in (None, memory["agent_id"]):
            return _not_found()
        del self.memories[memory["id"]]
        return httpx.Response(204)


def _namespace_of(body: Json) -> str:
    if "agent_id" in body and "user_id" in body and "namespace" not in body:
        return f"agent/{body['agent_id']}/user/{body['user_id']}"
    return str(body.get("namespace") or "default")


def _receipt(outcome: str, body: Json) -> Json:
    """What the answer to a store has besides the memory; private use characters are unreadable."""
    is_unreadable = bool(re.search("[\ue000-\uf8ff]", body["content"]))
    return {
        "outcome": outcome,
        "superseded_ids": [],
        "is_lexical_only": is_unreadable,
        "is_partly_lexical": len(body["content"]) > 30_000,
    }


def _memex(memory: Json) -> Json:
    names = ("id", "agent_id", "user_id", "content", "importance", "memory_type", "created_at")
    return {**{name: memory[name] for name in names}, "score": None}


def _id_of(request: httpx.Request) -> str:
    return request.url.path.rsplit("/", 1)[-1]


def _not_found() -> httpx.Response:
    return _error(404, "NOT_FOUND", "there is no such memory")


def _error(status: int, code: str, message: str, *details: tuple[str, str]) -> httpx.Response:
    told = [{"field": name, "problem": problem} for name, problem in details]
    error = {"code": code, "message": message, "details": told, "request_id": "r-1"}
    return httpx.Response(status, json={"error": error})
