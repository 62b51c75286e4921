"""The node follows a DynamoDB table."""

from collections.abc import Iterator

import pytest
from opensearchpy import OpenSearch

from omoide.services.reindex import Reindex
from tests.opensearch.followed import ref
from tests.opensearch.followed_table import FollowedTable
from tests.opensearch.random_writer import RandomWriter

pytestmark = pytest.mark.opensearch


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
