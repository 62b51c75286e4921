"""Every way to aim an MCP tool at somebody else's memory; a new tool needs a row here."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.e2e.tenancy_attempts import Aim

Arguments = dict[str, Any]
ToolAttempts = Callable[[Aim], Iterator[Arguments]]


def _namespaces(aim: Aim) -> list[str]:
    return [aim.namespace, f"{aim.namespace}/sub", "**", "team/*"]


def store_memory(aim: Aim) -> Iterator[Arguments]:
    for namespace in _namespaces(aim):
        yield {"content": aim.planted, "namespace": namespace}
    yield {"content": aim.planted, "session_id": aim.session_id}
    yield {"content": aim.planted, "operation_id": aim.operation_id}


def search_memories(aim: Aim) -> Iterator[Arguments]:
    query = {"query": "the vault code"}
    for namespace in _namespaces(aim):
        yield {**query, "namespace": namespace}
    yield {**query, "top_k": 100, "include": ["archived", "superseded", "expired"]}
    for name in ("session_id", "speaker", "agent_id"):
        yield {**query, "filters": {name: getattr(aim, name)}}
    yield {**query, "filters": {"tags_any": [aim.tag]}}


def retrieve_context(aim: Aim) -> Iterator[Arguments]:
    query = {"query": "the vault code"}
    for namespace in _namespaces(aim):
        yield {**query, "namespace": namespace}
    for stage in ("fast", "precision", "deep"):
        yield {**query, "top_k": 100, "token_budget": 100_000, "cascade_stage": stage}


def surface_memories(aim: Aim) -> Iterator[Arguments]:
    said = {"context": "I am planning to open the vault in the observatory, which code?"}
    for namespace in _namespaces(aim):
        yield {**said, "session_id": "s", "namespace": namespace}
    yield {**said, "session_id": aim.session_id, "token_budget": 100_000}


def get_memory(aim: Aim) -> Iterator[Arguments]:
    yield {"memory_id": aim.memory_id}
    yield {"memory_id": aim.memory_id[:8]}


def update_memory(aim: Aim) -> Iterator[Arguments]:
    yield {"memory_id": aim.memory_id, "content": aim.planted}
    yield {"memory_id": aim.memory_id, "content": aim.planted, "expected_version": 1}
    yield {"memory_id": aim.memory_id, "content": aim.planted, "expected_version": 9}


def delete_memory(aim: Aim) -> Iterator[Arguments]:
    yield {"memory_id": aim.memory_id}


def count_memories(aim: Aim) -> Iterator[Arguments]:
    for namespace in _namespaces(aim):
        yield {"namespace": namespace}


def memex_store_memory(aim: Aim) -> Iterator[Arguments]:
    yield {"agent_id": aim.agent_id, "user_id": "u", "content": aim.planted}
    yield {"agent_id": "../../team", "user_id": "b", "content": aim.planted}


def memex_search_memories(aim: Aim) -> Iterator[Arguments]:
    yield {"agent_id": aim.agent_id, "user_id": "u", "query": "vault"}
    yield {"agent_id": "../../team", "user_id": "b", "query": "vault"}


def memex_delete_memory(aim: Aim) -> Iterator[Arguments]:
    yield {"agent_id": aim.agent_id, "memory_id": aim.memory_id}


def memex_count_memories(aim: Aim) -> Iterator[Arguments]:
    yield {"agent_id": aim.agent_id, "user_id": "u"}


TOOL_ATTEMPTS: dict[str, ToolAttempts] = {
    "store_memory": store_memory,
    "search_memories": search_memories,
    "retrieve_context": retrieve_context,
    "surface_memories": surface_memories,
    "get_memory": get_memory,
    "update_memory": update_memory,
    "delete_memory": delete_memory,
    "count_memories": count_memories,
    "memex_store_memory": memex_store_memory,
    "memex_search_memories": memex_search_memories,
    "memex_delete_memory": memex_delete_memory,
    "memex_count_memories": memex_count_memories,
}
"""By name of the tool, all toolsets offered at once."""
