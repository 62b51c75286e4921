"""The node follows a DynamoDB table."""

from collections.abc import Iterator

import pytest
from opensearchpy import OpenSearch

from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.indexing import FakeDeadLetters
from omoide.adapters.opensearch import (
    OpenSearchIndexBuilder,
    OpenSearchIndexWriter,
    OpenSearchMemoryIndex,
)
from omoide.ports.memory_records import MemoryChange
from omoide.services.index_memories import IndexMemories
from omoide.services.indexing import IndexPending
from omoide.services.reindex import Reindex
from tests.contract.samples import EVERYTHING, request_of
from tests.contract.table_folder import TableFolder
from tests.opensearch.followed import AnsweringIndex, layout_of, ref
from tests.opensearch.random_writer import RandomWriter

pytestmark = pytest.mark.opensearch


class FollowedTable:
    """A table in this process and the index that follows it."""

    def __init__(self, client: OpenSearch) -> None:
        self.client = client
        self.layout = layout_of()
        self.table = TableFolder(FakeClock())
        writer = OpenSearchIndexWriter(client, self.layout)
        writer.make_index()
        self.index_memories = IndexMemories(
            pending=self.table.pending,
            index_pending=IndexPending(
                pending=self.table.pending, source=self.table.source, writer=writer
            ),
            dead_letters=FakeDeadLetters(),
        )
        self.builder = OpenSearchIndexBuilder(client, self.layout)
        self.index = AnsweringIndex(
            index=OpenSearchMemoryIndex(
                client, self.layout, pending=self.table.pending, source=self.table.source
            )
        )

    def commit(self, change: MemoryChange) -> None:
        self.table.records.commit(change)

    def found(self) -> set[str]:
        return set(self.index.nominate(request_of("red", where=EVERYTHING, pool=300)).ids)

    def close(self) -> None:
        for name in self.client.indices.get_alias(name=self.layout.alias):
            self.client.indices.delete(index=name)
        self.table.close()


@pytest.fixture
def followed(client: OpenSearch) -> Iterator[FollowedTable]:
    made = FollowedTable(client)
    yield made
    made.close()


def test_every_write_is_seen_whether_the_indexer_has_come_or_not(followed: FollowedTable) -> None:
    writer = RandomWriter(followed.commit, seed=5)

    for number in range(60):
        writer.write()
        assert followed.found() == set(writer.live)
        if number % 7 == 0:
            followed.index_memories(ref(memory_id) for memory_id in writer.written)
            assert followed.found() == set(writer.live)

    assert followed.table.records.count("team/a") == len(writer.live)
    followed.index_memories(ref(memory_id) for memory_id in writer.written)
    assert followed.table.pending.of_namespace("team/a", 10).writes == ()
    assert followed.table.records.count("team/a") == len(writer.live)


def test_an_index_is_built_anew_from_the_table(followed: FollowedTable) -> None:
    writer = RandomWriter(followed.commit, seed=6)
    for _ in range(60):
        writer.write()
    followed.index_memories(ref(memory_id) for memory_id in writer.written)

    done = Reindex(source=followed.table.source, builder=followed.builder, page=7)()

    assert (done.count, done.fault_count) == (len(writer.live), 0)
    assert followed.found() == set(writer.live)
