"""The handler of the stream, given its events as Lambda gives them, on a table and a node."""

from functools import partial
from pathlib import Path

import pytest
from opensearchpy import OpenSearch

from infra.local.opensearch_node import start_node
from omoide.adapters.opensearch import connect
from omoide.api.triggers.table_stream import index_changes
from omoide.ports.memory_records import MemoryChange
from tests.opensearch.followed_table import FollowedTable
from tests.opensearch.random_writer import RandomWriter
from tests.opensearch.stream_poller import StreamPoller

pytestmark = pytest.mark.opensearch

BATCH = 7


def polled(followed: FollowedTable) -> tuple[StreamPoller, RandomWriter]:
    """A stream, and a writer whose writes are told to it."""
    poller = StreamPoller(partial(index_changes, index_memories=followed.index_memories), BATCH)

    def commit(change: MemoryChange) -> None:
        followed.commit(change)
        poller.note(change)

    return poller, RandomWriter(commit, seed=8)


def pending_count(followed: FollowedTable) -> int:
    return len(followed.table.pending.of_namespace("team/a", 1_000).writes)


def test_what_the_stream_brings_is_indexed_and_nothing_else_has_to_look(
    client: OpenSearch,
) -> None:
    followed = FollowedTable(client)
    poller, writer = polled(followed)
    for _ in range(40):
        writer.write()

    while not poller.is_done:
        poller.poll()

    assert poller.refused_count == 0
    assert pending_count(followed) == 0
    assert followed.indexed() == set(writer.live)
    followed.close()


def test_batches_that_come_while_the_node_is_down_come_again(tmp_path: Path) -> None:
    node = start_node(tmp_path / "node")
    try:
        client = connect(node.url)
        followed = FollowedTable(client)
        poller, writer = polled(followed)
        for _ in range(20):
            writer.write()
        poller.poll()
        taken = poller.position

        node.kill()
        for _ in range(20):
            writer.write()
            poller.poll()
        while_down = poller.position
        node = start_node(tmp_path / "node", port=int(node.url.rpartition(":")[2]))
        while not poller.is_done:
            poller.poll()

        assert (taken, while_down, poller.refused_count) == (BATCH, BATCH, 20)
        assert pending_count(followed) == 0
        assert followed.indexed() == set(writer.live)
        client.close()
        followed.table.close()
    finally:
        node.kill()
