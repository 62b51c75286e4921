"""A DynamoDB table in this process and a real OpenSearch node that follows it."""

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
from tests.contract.samples import EVERYTHING, request_of
from tests.contract.table_folder import TableFolder
from tests.opensearch.followed import AnsweringIndex, layout_of


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

    def indexed(self) -> set[str]:
        """Ids of everything the index holds."""
        self.client.indices.refresh(index=self.layout.alias)
        found = self.client.search(index=self.layout.alias, body={"size": 10_000})
        return {hit["_id"] for hit in found["hits"]["hits"]}

    def found(self) -> set[str]:
        """Ids of everything a search finds, indexed or pending."""
        return set(self.index.nominate(request_of("red", where=EVERYTHING, pool=300)).ids)

    def close(self) -> None:
        for name in self.client.indices.get_alias(name=self.layout.alias):
            self.client.indices.delete(index=name)
        self.table.close()
