"""What a client written for memex sends."""

import uuid

import httpx

from tests.e2e.running_server import Json, RunningServer


def pair(user: str = "user") -> dict[str, str]:
    """An agent of its own, so that tests do not meet."""
    return {"agent_id": f"agent-{uuid.uuid4().hex}", "user_id": user}


def store(server: RunningServer, who: dict[str, str], content: str, **fields: Json) -> Json:
    answer = server.post("/v1/memories", {**who, "content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def search(server: RunningServer, who: dict[str, str], query: str, **fields: Json) -> Json:
    answer = server.post("/v1/memories/search", {**who, "query": query, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def count(server: RunningServer, who: dict[str, str]) -> Json:
    answer = server.get("/v1/memories/count", **who)
    assert answer.status_code == 200, answer.text
    return answer.json()


def assert_error(answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, answer.text
    assert isinstance(answer.json()["detail"], str)
    assert answer.json()["detail"]
    assert answer.json()["error"]["code"]
