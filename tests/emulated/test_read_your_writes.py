"""A search sees every write whose call has returned, and a count counts it, however late the index.

Several writers work at once, each in a namespace of its own that nobody else changes, so that each
knows what every search must say.
"""

import uuid
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest

from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack

WRITERS = 4
ROUNDS = 17
"""Of three writes each, but the last of one: together 4 x (16 x 3 + 2) = 200 writes."""

Indexer = Callable[[DeployedStack], AbstractContextManager[None]]


@contextmanager
def at_work(stack: DeployedStack) -> Generator[None, None, None]:
    """The indexer takes writes as it can."""
    yield


@contextmanager
def paused(stack: DeployedStack) -> Generator[None, None, None]:
    """The indexer takes nothing."""
    with stack.paused_indexer():
        yield


class Writer:
    """Writes to one namespace and looks for each write at once.

    Attributes:
        live: The content of every memory, by id.
        count: Writes made.
    """

    def __init__(self, api: DeployedApi) -> None:
        self.api = replace(api, namespace=f"{api.namespace}/{uuid.uuid4()}")
        self.live: dict[str, str] = {}
        self.count = 0

    def work_off(self) -> None:
        """Store, change and delete by turns."""
        for number in range(ROUNDS):
            kept = self.store(f"The code word of day {number} is {number * 7919} aardvarks.")
            self.change(kept, f"The code word of day {number} is {number * 7907} wombats.")
            if number < ROUNDS - 1:
                gone = next(iter(self.live)) if number % 2 else kept
                self.delete(gone)

    def store(self, content: str) -> str:
        memory_id = self.api.store(content, dedupe="off")
        self.live[memory_id] = content
        self.look_for(memory_id, content)
        return memory_id

    def change(self, memory_id: str, content: str) -> None:
        self.api.update(memory_id, content=content)
        self.live[memory_id] = content
        self.look_for(memory_id, content)

    def delete(self, memory_id: str) -> None:
        self.api.delete(memory_id)
        self.look_for(memory_id, self.live.pop(memory_id))

    def look_for(self, memory_id: str, content: str) -> None:
        """Search for what was written: it is found as it is now, and so is everything else."""
        self.count += 1
        results = self.api.search(content, top_k=100)["results"]
        found = {one["id"]: one["content"] for one in results}
        assert found.get(memory_id) == self.live.get(memory_id)
        assert found.items() <= self.live.items()


@pytest.mark.parametrize("indexer", [at_work, paused])
def test_each_of_200_writes_is_seen_by_the_next_search(
    api: DeployedApi, stack: DeployedStack, indexer: Indexer
) -> None:
    writers = [Writer(api) for _ in range(WRITERS)]

    with indexer(stack), ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(Writer.work_off, writers))
        counts = [writer.api.count() for writer in writers]

    assert sum(writer.count for writer in writers) == 200
    assert counts == [len(writer.live) for writer in writers]
    for writer in writers:
        assert writer.api.contents() == writer.live


def test_the_count_is_exact_through_every_write_before_indexing_and_after(
    api: DeployedApi, stack: DeployedStack
) -> None:
    with stack.paused_indexer():
        ids = [api.store(f"Note {number} about the garden.") for number in range(3)]
        after_stores = api.count()
        api.update(ids[0], content="The garden has roses.")
        after_update = api.count()
        api.delete(ids[1])
        after_delete = api.count()
        again = {"content": "The garden has roses.", "namespace": api.namespace}
        api.ask(200, "POST", "/v1/memories", again)
        after_duplicate = api.count()
        assert len(stack.pending(api.namespace)) == 3
    stack.await_index(api.namespace)

    assert (after_stores, after_update, after_delete, after_duplicate) == (3, 3, 2, 2)
    assert api.count() == 2
    assert stack.indexed(api.namespace) == stack.recorded(api.namespace)


def test_a_memory_that_was_deleted_before_it_was_indexed_never_comes_back(
    api: DeployedApi, stack: DeployedStack
) -> None:
    with stack.paused_indexer():
        memory_id = api.store("The ladder is behind the shed.")
        api.delete(memory_id)
        before = api.count()
    stack.await_index(api.namespace)

    assert (before, api.count()) == (0, 0)
    assert api.found("where is the ladder?") == []
    assert stack.indexed(api.namespace) == {}
