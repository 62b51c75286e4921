"""Two tenants on one server: what one of them must never see."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.running_server import RunningServer, create_key, running_server
from tests.e2e.tenancy_attempts import Aim

SECRET = "The vault code of the observatory is heliotrope 4417."
"""What tenant B remembers."""

TRACES = ("heliotrope", "observatory", "Beatrix", "tag-of-b")
"""Words that are nowhere but in the memory of tenant B."""

_CHANGING = re.compile(
    r'"(request_id|took_ms|total_tokens|score|relevance|probability|similarity|strength'
    r'|access\w*|last_activated_at)":'
    r'\s*("[^"]*"|[\d.e-]+|null)'
)


_OF_ONE = re.compile(r'"(id|created_at|updated_at|stored_at|event_time)":\s*"[^"]*"')
_NONCE = re.compile(r"(</?memories-)[a-z0-9]+")
_AT_HOME = re.compile(r"team/a/\.\.(?:/|%2F)[a-z]")
"""A namespace of A's own, whatever a path with dots may suggest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenants:
    """A server with keys, and two tenants' memories.

    Attributes:
        server: The server.
        reader: Key with read on ``team/a/**``.
        writer: Key with write on ``team/a/**``.
        owner: Key with write on ``team/b/**``.
        admin: Key with admin on everything.
        foreign: What B has.
        unknown: What nobody has.
    """

    server: RunningServer
    reader: str
    writer: str
    owner: str
    admin: str
    foreign: Aim
    unknown: Aim

    def state_of_b(self) -> list[str]:
        """Everything that B and the admin see of B."""
        of_b, get = self.owner, self.server.get
        answers = (
            get("/v1/memories", of_b, namespace="team/b", limit=200),
            get(f"/v1/memories/{self.foreign.memory_id}", of_b),
            get("/v1/memories/count", of_b, namespace="team/b/sub"),
            get("/v1/keys", self.admin),
        )
        return [steady(answer.text) for answer in answers]

    def comparable(self, text: str) -> str:
        """An answer without the names aimed at, and without what tells one memory from another."""
        for aim in (self.foreign, self.unknown):
            text = aim.neutral(text)
        text = _NONCE.sub(r"\1", _AT_HOME.sub("team/a/..", text))
        return _OF_ONE.sub(r'"\1":0', steady(text))


@contextmanager
def two_tenants(data: Path) -> Generator[Tenants]:
    """Start a server that requires keys, and let B remember something."""
    reader = create_key(data, "read:team/a/**", namespace="team/a", name="reader")
    writer = create_key(data, "write:team/a/**", namespace="team/a", name="writer")
    owner = create_key(data, "write:team/b/**", namespace="team/b", name="owner")
    admin = create_key(data, "admin:**", name="admin")
    with running_server(data, "--require-key") as server:
        server.store("Tenant A drinks oolong in the afternoon.", writer, namespace="team/a")
        secret = server.store(
            SECRET,
            owner,
            namespace="team/b",
            session_id="session-of-b",
            turn=7,
            speaker="Beatrix",
            tags=["tag-of-b"],
            agent_id="agent-of-b",
            operation_id="operation-of-b",
        )
        server.store("Beatrix signs off with heliotrope.", owner, namespace="team/b")
        server.store("A note below.", owner, namespace="team/b/sub")
        page = server.get("/v1/memories", owner, namespace="team/b", limit=1).json()
        foreign = Aim(
            namespace="team/b",
            memory_id=secret["id"],
            session_id="session-of-b",
            speaker="Beatrix",
            tag="tag-of-b",
            agent_id="agent-of-b",
            key_id=owner.split("_")[1],
            cursor=page["next_cursor"],
            operation_id="operation-of-b",
        )
        yield Tenants(
            server=server,
            reader=reader,
            writer=writer,
            owner=owner,
            admin=admin,
            foreign=foreign,
            unknown=nobody(foreign),
        )


def nobody(foreign: Aim) -> Aim:
    """Names as long as the foreign ones that belong to nothing."""
    return Aim(
        namespace="team/q",
        memory_id=foreign.memory_id[:-12] + "0123456789ab",
        session_id="session-of-q",
        speaker="Quentinx",
        tag="tag-of-q",
        agent_id="agent-of-q",
        key_id="q" * len(foreign.key_id),
        cursor=foreign.cursor[::-1],
        operation_id="operation-of-q",
    )


def steady(text: str) -> str:
    """An answer without what changes at every call."""
    return _CHANGING.sub(r'"\1":0', text)
