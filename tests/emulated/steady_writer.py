"""Writes without end while parts of the stack are killed, and remembers what was acknowledged."""

import random
import threading
import time
from dataclasses import dataclass, field, replace

import httpx

from tests.emulated.deployed_api import DeployedApi

_STORES, _UPDATES = 0.5, 0.8
"""Shares of the actions; the rest are deletions."""


@dataclass(slots=True, kw_only=True)
class Ledger:
    """What a namespace must hold.

    Attributes:
        live: The content of every memory whose last write was acknowledged, by id.
        deleted: Memories whose deletion was acknowledged.
        doubtful: Memories whose last write was not acknowledged: it may have happened or not.
        offered: Contents of stores that were not acknowledged.
        acknowledged: Number of acknowledged writes.
        refused: Number of the others.
    """

    live: dict[str, str] = field(default_factory=dict[str, str])
    deleted: set[str] = field(default_factory=set[str])
    doubtful: set[str] = field(default_factory=set[str])
    offered: set[str] = field(default_factory=set[str])
    acknowledged: int = 0
    refused: int = 0

    def assert_holds(self, contents: dict[str, str]) -> None:
        """Compare with what is there: nothing acknowledged is lost, nothing else is there."""
        lost = {
            memory_id: content
            for memory_id, content in self.live.items()
            if memory_id not in self.doubtful and contents.get(memory_id) != content
        }
        back = (self.deleted - self.doubtful) & contents.keys()
        unknown = contents.keys() - self.live.keys() - self.doubtful
        strange = {contents[memory_id] for memory_id in unknown} - self.offered
        assert (lost, back, strange) == ({}, set(), set())


class SteadyWriter:
    """One thread that stores, changes and deletes memories of a namespace of its own.

    Attributes:
        api: The API with that namespace.
        ledger: What was acknowledged.
        slowest_s: Seconds of the slowest answer.

    Args:
        api: The API.
        seed: Decides what is written.
    """

    def __init__(self, api: DeployedApi, seed: int) -> None:
        self.api = replace(api, namespace=f"{api.namespace}/writer{seed}")
        self.ledger = Ledger()
        self.slowest_s = 0.0
        self._random = random.Random(seed)
        self._number = 0

    def write_until(self, done: threading.Event) -> None:
        """Write until it is told to stop."""
        while not done.is_set():
            self.write()

    def write(self) -> None:
        """Make one write."""
        choice = self._random.random()
        known = sorted(self.ledger.live.keys() - self.ledger.doubtful)
        self._number += 1
        content = f"Entry {self._number} of the log says {self._number * 7919}."
        if choice < _STORES or not known:
            self._store(content)
        elif choice < _UPDATES:
            self._change(self._random.choice(known), content)
        else:
            self._delete(self._random.choice(known))

    def _store(self, content: str) -> None:
        body = {"content": content, "namespace": self.api.namespace, "dedupe": "off"}
        answer = self._send("POST", "/v1/memories", body)
        if answer is None:
            self.ledger.offered.add(content)
        else:
            self.ledger.live[answer.json()["id"]] = content

    def _change(self, memory_id: str, content: str) -> None:
        if self._send("PATCH", f"/v1/memories/{memory_id}", {"content": content}) is None:
            self.ledger.doubtful.add(memory_id)
        else:
            self.ledger.live[memory_id] = content

    def _delete(self, memory_id: str) -> None:
        if self._send("DELETE", f"/v1/memories/{memory_id}", None) is None:
            self.ledger.doubtful.add(memory_id)
        else:
            del self.ledger.live[memory_id]
            self.ledger.deleted.add(memory_id)

    def _send(self, method: str, path: str, body: object) -> httpx.Response | None:
        """Send a request; None unless it was acknowledged."""
        began = time.monotonic()
        try:
            answer = self.api.send(method, path, body)
        except httpx.TransportError:
            answer = None
        self.slowest_s = max(self.slowest_s, time.monotonic() - began)
        if answer is None or answer.status_code >= 500:
            self.ledger.refused += 1
            return None
        assert answer.is_success, answer.text
        self.ledger.acknowledged += 1
        return answer
