"""A folder whose index is a real OpenSearch node that follows records in memory."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from opensearchpy import OpenSearch

from omoide.adapters.fake.following import FollowedFolder
from omoide.adapters.opensearch import (
    IndexLayout,
    OpenSearchIndexBuilder,
    OpenSearchIndexWriter,
    OpenSearchMemoryIndex,
)
from omoide.domain.candidates import NominationRequest, Pool
from omoide.ports.clock import Clock
from omoide.ports.memory_records import MemoryChange
from omoide.ports.pending_writes import MemoryRef
from omoide.services.index_memories import IndexMemories
from omoide.services.indexing import IndexPending
from tests.contract.samples import DIMS, REVISION

PATIENCE_S = 20.0
"""The machine may be busy with other tests."""


def layout_of(revision: str = REVISION, dims: int = DIMS) -> IndexLayout:
    """An index nobody else uses, whose writes are seen soon."""
    alias = f"test-{uuid.uuid4().hex[:12]}"
    return IndexLayout(alias=alias, revision=revision, dims=dims, refresh_interval="20ms")


@dataclass(slots=True, kw_only=True)
class FollowingRecords:
    """Records that are indexed as soon as they are written, unless the indexer is paused."""

    folder: FollowedFolder
    index_memories: IndexMemories
    is_paused: bool = False

    def commit(self, change: MemoryChange) -> None:
        self.folder.records.commit(change)
        if not self.is_paused:
            self.index()

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        self.folder.records.commit_all(changes)
        if not self.is_paused:
            self.index()

    def index(self) -> None:
        """Let the indexer see everything that is pending."""
        self.index_memories(list(self.folder.followed.pending))

    def __getattr__(self, name: str) -> object:
        return getattr(self.folder.records, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringIndex:
    """An index of which every answer has to come from the node."""

    index: OpenSearchMemoryIndex

    def nominate(self, request: NominationRequest) -> Pool:
        pool = self.index.nominate(request)
        assert pool.is_complete
        return pool


class OpenSearchFolder:
    """Records in memory, the index in OpenSearch."""

    def __init__(
        self, client: OpenSearch, layout: IndexLayout | None = None, *, clock: Clock | None = None
    ) -> None:
        self.client = client
        self.layout = layout or layout_of()
        self.memory = FollowedFolder(clock=clock)
        self.writer = OpenSearchIndexWriter(client, self.layout)
        self.builder = OpenSearchIndexBuilder(client, self.layout)
        self.index_pending = IndexPending(
            pending=self.memory.pending, source=self.memory.source, writer=self.writer
        )
        self.index_memories = IndexMemories(
            pending=self.memory.pending,
            index_pending=self.index_pending,
            dead_letters=self.memory.dead_letters,
        )
        self.records = FollowingRecords(folder=self.memory, index_memories=self.index_memories)
        self.unwatched_index = OpenSearchMemoryIndex(
            client,
            self.layout,
            pending=self.memory.pending,
            source=self.memory.source,
            patience_s=PATIENCE_S,
        )
        self.index = AnsweringIndex(index=self.unwatched_index)
        self.uses = self.memory.uses
        self.keys = self.memory.keys
        self.limiter = self.memory.limiter
        self.shown = self.memory.shown
        self.writer.make_index()

    def indexed(self, namespace: str = "team/a") -> set[str]:
        """Ids of everything the index holds of a namespace."""
        self.client.indices.refresh(index=self.layout.alias)
        body = {"size": 10_000, "query": {"term": {"namespace": namespace}}}
        found = self.client.search(index=self.layout.alias, body=body)
        return {hit["_id"] for hit in found["hits"]["hits"]}

    def close(self) -> None:
        for alias in (self.layout.alias, self.layout.next_alias):
            if self.client.indices.exists_alias(name=alias):
                for name in self.client.indices.get_alias(name=alias):
                    self.client.indices.delete(index=name)


def ref(memory_id: str, namespace: str = "team/a") -> MemoryRef:
    """A memory of the samples."""
    return MemoryRef(namespace=namespace, memory_id=memory_id)
