"""memex's published load profile, against any server that answers memex's request shapes.

Seed phase: 200 pairs of agent and user, five memories each. Then two kinds of users, each runnable
alone by its name: `MemexUser` (waits 0.1 to 0.3 s) and `MemexSaturationUser` (20 tasks a second).
Both search three times as often as they store.
"""

import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, Protocol, cast

import httpx
from locust import FastHttpUser, between, constant_throughput, events, task
from locust.env import Environment

AGENT_IDS = [f"load-agent-{number:03d}" for number in range(20)]
USER_IDS = [f"load-user-{number:03d}" for number in range(10)]
MEMORIES_PER_PAIR = 5
SEED_THREADS = 32
SEED_TIMEOUT_S = 30.0
MEMORY_TYPES = ["episodic", "semantic"]

SAMPLE_MEMORIES = [
    "The user prefers concise responses and dislikes verbose explanations.",
    "User is building a FastAPI service and is comfortable with Python async.",
    "Last session: discussed connection pooling strategies for PostgreSQL.",
    "User's timezone is IST (UTC+5:30). Schedule references should account for this.",
    "User prefers code examples over abstract descriptions.",
    "Previous conversation touched on HikariCP tuning in Java Spring Boot.",
    "User is targeting backend engineering roles at product startups and FAANG.",
    "The user has 7 years of Java experience and is learning Python.",
    "User mentioned they worked at CRED and Wayfair previously.",
    "Preferred communication style: direct, no pleasantries, get to the point.",
    "User is interested in distributed systems and database internals.",
    "Last session covered pgvector ivfflat vs HNSW index trade-offs.",
    "User wants to showcase this project for senior backend roles.",
    "User understands async I/O well; explain blocking vs non-blocking concretely.",
    "Prefers minimal comments in code — trusts well-named identifiers.",
]
SAMPLE_QUERIES = [
    "what are the user's communication preferences",
    "what did we discuss last session",
    "what is the user's technical background",
    "does the user prefer Python or Java",
    "what timezone is the user in",
    "what projects is the user working on",
    "what databases does the user work with",
    "what is the user's experience level",
]


class Answer(Protocol):
    """An answer that counts as failed when said so."""

    status_code: int

    def failure(self, exc: str) -> None:
        """Count it as failed."""


Post = Callable[..., AbstractContextManager[Answer]]


class SeedError(Exception):
    """A memory of the seed phase was not stored."""


logging.getLogger("httpx").setLevel(logging.WARNING)


@events.test_start.add_listener  # pyright: ignore[reportUnknownMemberType]
def seed(environment: Environment, **_: Any) -> None:
    """Store five memories for each pair of agent and user."""
    pairs = [(agent, user) for agent in AGENT_IDS for user in USER_IDS]
    bodies = [
        {"agent_id": agent, "user_id": user, "content": content, "memory_type": "episodic"}
        for agent, user in pairs
        for content in random.sample(SAMPLE_MEMORIES, MEMORIES_PER_PAIR)
    ]
    limits = httpx.Limits(max_connections=SEED_THREADS)
    with httpx.Client(
        base_url=environment.host or "http://localhost:8000", timeout=SEED_TIMEOUT_S, limits=limits
    ) as client:

        def store(body: dict[str, str]) -> None:
            answer = client.post("/v1/memories", json=body)
            if answer.status_code != 201:
                raise SeedError(f"{answer.status_code}: {answer.text}")

        with ThreadPoolExecutor(SEED_THREADS) as pool:
            list(pool.map(store, bodies))


class _Memex(FastHttpUser):
    abstract = True

    def on_start(self) -> None:
        """Become one agent and one user."""
        self.agent_id = random.choice(AGENT_IDS)
        self.user_id = random.choice(USER_IDS)

    @task(3)
    def search(self) -> None:
        """Search this pair's memories."""
        self._post(
            "/v1/memories/search",
            200,
            query=random.choice(SAMPLE_QUERIES),
            top_k=5,
            alpha=0.7,
        )

    @task(1)
    def store(self) -> None:
        """Store one of the sample memories."""
        self._post(
            "/v1/memories",
            201,
            content=random.choice(SAMPLE_MEMORIES),
            importance=round(random.uniform(0.5, 1.5), 2),
            memory_type=random.choice(MEMORY_TYPES),
        )

    def _post(self, path: str, expected: int, **fields: object) -> None:
        body = {"agent_id": self.agent_id, "user_id": self.user_id, **fields}
        post = cast("Post", self.client.post)  # pyright: ignore[reportUnknownMemberType]
        with post(path, json=body, catch_response=True) as answer:
            if answer.status_code != expected:
                answer.failure(f"status {answer.status_code}")


class MemexUser(_Memex):
    """The realistic profile."""

    wait_time = between(0.1, 0.3)


class MemexSaturationUser(_Memex):
    """The saturating profile."""

    wait_time = constant_throughput(20)
