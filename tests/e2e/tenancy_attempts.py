"""Every way to aim an operation at somebody else's memory; a new operation needs a row here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What an attempt is aimed at: somebody's memory or nothing at all, told by the same names.

    Attributes:
        namespace: Where it is.
        memory_id: Its id.
        session_id: Its session.
        speaker: Its speaker.
        tag: One of its tags.
        agent_id: Its agent.
        key_id: Somebody's API key.
        cursor: A cursor of somebody's list.
        operation_id: An operation id that somebody used.
    """

    namespace: str
    memory_id: str
    session_id: str
    speaker: str
    tag: str
    agent_id: str
    key_id: str
    cursor: str
    operation_id: str

    @property
    def planted(self) -> str:
        """A text to store that tells by whom it was meant."""
        return f"Planted for {self.operation_id}."

    def neutral(self, text: str) -> str:
        """An answer without the names of what was aimed at."""
        for name in self.__dataclass_fields__:
            text = text.replace(str(getattr(self, name)), f"<{name}>")
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request.

    Attributes:
        name: What is tried.
        method: HTTP method.
        path: Path.
        query: Query parameters.
        body: JSON body.
        headers: Further headers.
    """

    name: str
    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict[str, str])
    body: Json | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        return self.name


Attempts = Callable[[Aim], Iterator[Attempt]]

SMUGGLED = (
    "X-Namespace",
    "X-Omoide-Namespace",
    "X-Default-Namespace",
    "X-Omoide-Scopes",
    "X-Original-URL",
    "X-Forwarded-For",
    "X-Api-Key",
    "Cookie",
)
"""Headers that some servers trust."""


def _ways_to_say(namespace: str) -> list[str]:
    """Spellings that a careless server takes for the namespace."""
    head, _, tail = namespace.rpartition("/")
    return [
        namespace,
        f"{namespace}/sub",
        f"team/a/../{tail}",
        f"team/a/..%2F{tail}",
        f"{head}%2F{tail}",
        f"{namespace.upper()}",
        f"{head}/*",
        f"{head}/**",
        "**",
        "*",
        head,
    ]


def store_memory(aim: Aim) -> Iterator[Attempt]:
    def post(name: str, **body: Any) -> Attempt:
        return Attempt(name=name, method="POST", path="/v1/memories", body=body)

    for namespace in _ways_to_say(aim.namespace):
        yield post(f"store into {namespace}", content=aim.planted, namespace=namespace)
    yield post("memex's pair", content=aim.planted, agent_id=aim.agent_id, user_id="u")
    yield post("a pair that climbs", content=aim.planted, agent_id="../../team", user_id="b")
    yield post("DSE's shape", content_text=aim.planted, namespace=aim.namespace)
    yield post("a used operation id", content=aim.planted, operation_id=aim.operation_id)
    yield post("a session", content=aim.planted, session_id=aim.session_id)


def store_memories(aim: Aim) -> Iterator[Attempt]:
    for namespace in _ways_to_say(aim.namespace):
        items = [{"content": aim.planted}, {"content": aim.planted, "namespace": namespace}]
        yield Attempt(
            name=f"one item into {namespace}",
            method="POST",
            path="/v1/memories/batch",
            body={"memories": items},
        )
    yield Attempt(
        name="a used operation id",
        method="POST",
        path="/v1/memories/batch",
        body={"memories": [{"content": aim.planted}], "operation_id": aim.operation_id},
    )


def search_memories(aim: Aim) -> Iterator[Attempt]:
    def post(name: str, **body: Any) -> Attempt:
        request = {"query": "the vault code", **body}
        return Attempt(name=name, method="POST", path="/v1/memories/search", body=request)

    for namespace in _ways_to_say(aim.namespace):
        yield post(f"search in {namespace}", namespace=namespace)
    everything = ["archived", "superseded", "expired"]
    yield post("no namespace", include=everything, top_k=100)
    yield post("memex's pair", agent_id=aim.agent_id, user_id="u")
    yield post("a pair that climbs", agent_id="../../team", user_id="b")
    for name in ("session_id", "speaker", "agent_id"):
        yield post(f"filter by {name}", filters={name: getattr(aim, name)})
    yield post("filter by tag", filters={"tags_any": [aim.tag]})
    yield post("filter by statuses", filters={"statuses": ["active", *everything]})
    yield post("filter by namespace", filters={"namespace": aim.namespace})
    yield post("as of the past", as_of="2000-01-01T00:00:00Z")
    yield post("newest first", profile="alpha", alpha=0)
    for mode in ("lexical", "semantic"):
        yield post(f"{mode} alone", mode=mode, top_k=100)


def retrieve_context(aim: Aim) -> Iterator[Attempt]:
    def post(name: str, **body: Any) -> Attempt:
        request = {"query": "the vault code", **body}
        return Attempt(name=name, method="POST", path="/v1/memories/retrieve", body=request)

    for namespace in _ways_to_say(aim.namespace):
        yield post(f"retrieve from {namespace}", namespace=namespace)
    for stage in ("fast", "precision", "deep"):
        yield post(f"no namespace, {stage}", cascade_stage=stage, top_k=100, token_budget=100_000)
    for name in ("session_id", "speaker", "agent_id"):
        yield post(f"filter by {name}", filters={name: getattr(aim, name)})
    yield post("filter by namespace", filters={"namespace": aim.namespace})
    yield post("as of the past", as_of="2000-01-01T00:00:00Z")
    yield post("a task that names it", task_context=f"read {aim.memory_id}")
    yield post("memex's pair", agent_id=aim.agent_id, user_id="u")


def surface_memories(aim: Aim) -> Iterator[Attempt]:
    def post(name: str, **body: Any) -> Attempt:
        said = "I am planning to open the vault, which code do I need?"
        request = {"context": said, "session_id": "s", **body}
        return Attempt(name=name, method="POST", path="/v1/memories/surface", body=request)

    for namespace in _ways_to_say(aim.namespace):
        yield post(f"surface from {namespace}", namespace=namespace)
    yield post("no namespace", token_budget=100_000)
    yield post("somebody's session", session_id=aim.session_id)
    yield post("a context that names it", context=f"what do I need of {aim.memory_id}")
    yield post("memex's pair", agent_id=aim.agent_id, user_id="u")


def list_memories(aim: Aim) -> Iterator[Attempt]:
    def get(name: str, **query: str) -> Attempt:
        return Attempt(name=name, method="GET", path="/v1/memories", query=query)

    for namespace in _ways_to_say(aim.namespace):
        yield get(f"list {namespace}", namespace=namespace)
    yield get("no namespace", limit="200")
    yield get("somebody's cursor", cursor=aim.cursor)
    yield get("somebody's cursor and namespace", cursor=aim.cursor, namespace=aim.namespace)
    yield get("by session", session_id=aim.session_id)
    yield get("by agent", agent_id=aim.agent_id)
    yield get("by tag", tag=aim.tag)
    yield get("memex's pair", agent_id=aim.agent_id, user_id="u")


def count_memories(aim: Aim) -> Iterator[Attempt]:
    def get(name: str, **query: str) -> Attempt:
        return Attempt(name=name, method="GET", path="/v1/memories/count", query=query)

    for namespace in _ways_to_say(aim.namespace):
        yield get(f"count {namespace}", namespace=namespace)
    yield get("memex's pair", agent_id=aim.agent_id, user_id="u")
    yield get("a pair that climbs", agent_id="../../team", user_id="b")


def get_memory(aim: Aim) -> Iterator[Attempt]:
    path = f"/v1/memories/{aim.memory_id}"
    yield Attempt(name="by id", method="GET", path=path)
    yield Attempt(name="in capitals", method="GET", path=f"/v1/memories/{aim.memory_id.upper()}")
    yield Attempt(name="a prefix", method="GET", path=f"/v1/memories/{aim.memory_id[:8]}")
    yield Attempt(name="a foreign trail", method="GET", path=f"{path}/", query={})
    yield Attempt(
        name="and its namespace", method="GET", path=path, query={"namespace": aim.namespace}
    )


def update_memory(aim: Aim) -> Iterator[Attempt]:
    path = f"/v1/memories/{aim.memory_id}"
    change = {"content": aim.planted}
    for method in ("PATCH", "PUT"):
        yield Attempt(name=f"by id, {method}", method=method, path=path, body=change)
    for version in ("1", "2", "99"):
        yield Attempt(
            name=f"at version {version}",
            method="PATCH",
            path=path,
            body=change,
            headers={"If-Match": version},
        )
    yield Attempt(name="DSE's shape", method="PUT", path=path, body={"content_text": aim.planted})
    yield Attempt(
        name="a used operation id",
        method="PATCH",
        path=path,
        body=change,
        headers={"Idempotency-Key": aim.operation_id},
    )
    yield Attempt(
        name="moved away", method="PATCH", path=path, body={**change, "namespace": "team/a"}
    )
    yield Attempt(name="a bad change", method="PATCH", path=path, body={"importance": 7})


def delete_memory(aim: Aim) -> Iterator[Attempt]:
    path = f"/v1/memories/{aim.memory_id}"
    yield Attempt(name="by id", method="DELETE", path=path)
    yield Attempt(name="and all of it", method="DELETE", path=path, query={"cascade": "true"})
    yield Attempt(name="as its agent", method="DELETE", path=path, query={"agent_id": aim.agent_id})


def create_key(aim: Aim) -> Iterator[Attempt]:
    for scope in (f"read:{aim.namespace}/**", "admin:**", "read:team/a/**"):
        body = {"name": "mine", "scopes": [scope], "default_namespace": aim.namespace}
        yield Attempt(name=f"a key for {scope}", method="POST", path="/v1/keys", body=body)


def list_keys(aim: Aim) -> Iterator[Attempt]:
    del aim
    yield Attempt(name="all keys", method="GET", path="/v1/keys")


def revoke_key(aim: Aim) -> Iterator[Attempt]:
    yield Attempt(name="somebody's key", method="DELETE", path=f"/v1/keys/{aim.key_id}")


def nothing_to_aim(aim: Aim) -> Iterator[Attempt]:
    del aim
    for path in ("/", "/health", "/health/ready", "/metrics", "/openapi.json", "/docs"):
        yield Attempt(name=path, method="GET", path=path)


ATTEMPTS: dict[str, Attempts] = {
    "store_memory": store_memory,
    "store_memories": store_memories,
    "search_memories": search_memories,
    "retrieve_context": retrieve_context,
    "surface_memories": surface_memories,
    "list_memories": list_memories,
    "count_memories": count_memories,
    "get_memory": get_memory,
    "update_memory": update_memory,
    "delete_memory": delete_memory,
    "create_key": create_key,
    "list_keys": list_keys,
    "revoke_key": revoke_key,
    "get_service": nothing_to_aim,
    "get_health": nothing_to_aim,
    "get_readiness": nothing_to_aim,
}
"""By operation of the manifest."""
