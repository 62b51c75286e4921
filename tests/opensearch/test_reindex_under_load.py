"""The index of a table on the emulator is built anew while twenty writes a second come in."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from opensearchpy import OpenSearch

from infra.local.emulator import access_to, start_emulator
from infra.local.opensearch_node import free_ports
from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.indexing import FakeDeadLetters
from omoide.adapters.opensearch import (
    OpenSearchIndexBuilder,
    OpenSearchIndexWriter,
    OpenSearchMemoryIndex,
)
from omoide.services.index_memories import IndexMemories
from omoide.services.indexing import IndexPending
from omoide.services.reindex import Reindex
from tests.contract.folders import clock_at
from tests.contract.samples import EVERYTHING, request_of
from tests.contract.table_folder import EmulatedFolder
from tests.opensearch.followed import PATIENCE_S, AnsweringIndex, layout_of
from tests.opensearch.random_writer import RandomWriter

pytestmark = pytest.mark.opensearch

STORED = 120
PAGE = 25
WRITES_A_PAGE = 12
PACE_S = 0.05
LIMIT_S = 120.0


class Load:
    """Somebody who writes twenty times a second, and an indexer that follows.

    Args:
        writer: Writes.
        index: Indexes what is pending.
    """

    def __init__(self, writer: RandomWriter, index: IndexMemories, table: EmulatedFolder) -> None:
        self._writer = writer
        self._index = index
        self._table = table
        self._done = threading.Event()
        self._wrote = threading.Condition()
        self._threads = [threading.Thread(target=t) for t in (self._write, self._follow)]
        self.faults: list[BaseException] = []

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join()

    def wait_for_writes(self, count: int) -> None:
        """Wait until so many more were made."""
        with self._wrote:
            wanted = len(self._writer.written) + count
            is_there = self._wrote.wait_for(
                lambda: len(self._writer.written) >= wanted or self.faults, LIMIT_S
            )
        assert is_there and not self.faults, self.faults

    def follow(self) -> None:
        """Index everything that is pending."""
        listed = self._table.pending.of_namespace("team/a", 100)
        self._index([write.memory for write in listed.writes])

    def _write(self) -> None:
        try:
            while not self._done.wait(PACE_S):
                self._writer.write()
                with self._wrote:
                    self._wrote.notify_all()
        except BaseException as fault:
            self.faults.append(fault)
            raise

    def _follow(self) -> None:
        try:
            while not self._done.wait(PACE_S):
                self.follow()
        except BaseException as fault:
            self.faults.append(fault)
            raise


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatedFolder]:
    """A table on an emulator of its own."""
    (port,) = free_ports(1)
    emulator = start_emulator(tmp_path / "emulator", port=port, enforces_iam=False)
    for name, value in access_to(emulator.url).items():
        monkeypatch.setenv(name, value)
    clock: FakeClock = clock_at()
    opened = EmulatedFolder(clock)
    yield opened
    opened.close()
    emulator.stop()


def test_a_build_under_writes_that_is_interrupted_and_goes_on_loses_nothing(
    client: OpenSearch, table: EmulatedFolder
) -> None:
    layout = layout_of()
    writer = OpenSearchIndexWriter(client, layout)
    writer.make_index()
    index_memories = IndexMemories(
        pending=table.pending,
        index_pending=IndexPending(pending=table.pending, source=table.source, writer=writer),
        dead_letters=FakeDeadLetters(),
    )
    caller = RandomWriter(table.records.commit, seed=11)
    for _ in range(STORED):
        caller.write()
    index = OpenSearchMemoryIndex(
        client, layout, pending=table.pending, source=table.source, patience_s=PATIENCE_S
    )
    former = set(client.indices.get_alias(name=layout.alias))

    def reindex() -> Reindex:
        builder = OpenSearchIndexBuilder(client, layout)
        return Reindex(source=table.source, builder=builder, page=PAGE)

    with Load(caller, index_memories, table) as load:

        def under_writes(_: int) -> bool:
            load.wait_for_writes(WRITES_A_PAGE)
            return True

        stopped = reindex()(on_page=lambda count: not under_writes(count))
        done = reindex()(on_page=under_writes)
        load.wait_for_writes(WRITES_A_PAGE)
    load.follow()

    indices = set(client.indices.get_alias(name=layout.alias))
    assert (stopped.is_complete, done.is_complete, done.fault_count) == (False, True, 0)
    assert indices.isdisjoint(former)
    assert not client.indices.exists(index=former.pop())
    pool = AnsweringIndex(index=index).nominate(request_of("red", where=EVERYTHING, pool=300))
    assert set(pool.ids) == set(caller.live)
    found = client.search(
        index=layout.alias, body={"size": 1_000, "version": True, "query": {"match_all": {}}}
    )["hits"]["hits"]
    entries = table.source.read(table.source.newest("team/a", 1_000))
    assert {hit["_id"]: hit["_version"] for hit in found} == {
        entry.memory.memory_id: entry.index_version for entry in entries
    }
    assert len(caller.written) >= STORED + 3 * WRITES_A_PAGE
    for name in indices:
        client.indices.delete(index=name)
