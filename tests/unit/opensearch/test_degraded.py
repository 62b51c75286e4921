"""While the index is away the newest memories are searched, and the answer says so."""

import socket
from collections.abc import Iterator

import pytest
from opensearchpy.exceptions import ConnectionTimeout, TransportError

from omoide.adapters.fake.following import FollowedFolder
from omoide.adapters.opensearch import OpenSearchMemoryIndex, connect
from omoide.adapters.opensearch.index import MAX_PENDING
from omoide.domain.errors import UnavailableError
from tests.contract.samples import creation_of, deletion_of, memory_of, request_of, update_of
from tests.unit.opensearch.node import LAYOUT, REQUEST, Node


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def test_an_index_that_cannot_be_reached_leaves_the_newest(
    folder: FollowedFolder, closed_port: int
) -> None:
    folder.followed.pending.clear()
    index = OpenSearchMemoryIndex(
        connect(f"http://127.0.0.1:{closed_port}"),
        LAYOUT,
        pending=folder.pending,
        source=folder.source,
    )

    pool = index.nominate(request_of("red car"))

    assert set(pool.ids) == {"m0", "m1", "m2"}
    assert not pool.is_complete
    assert pool.own.document_count == 3


@pytest.mark.parametrize(
    "failure",
    [
        ConnectionTimeout("TIMEOUT", "", Exception()),
        TransportError(429, "rejected", {}),
        TransportError(503, "unavailable", {}),
        TransportError(403, "forbidden", {}),
    ],
)
def test_every_failure_of_the_index_is_met_alike(
    index: OpenSearchMemoryIndex, node: Node, failure: Exception
) -> None:
    node.failure = failure

    pool = index.nominate(REQUEST)

    assert set(pool.ids) == {"m0", "m1"}
    assert not pool.is_complete


def test_an_index_that_is_not_there_yet_is_met_alike(
    index: OpenSearchMemoryIndex, node: Node
) -> None:
    node.answers = [{"error": {"type": "index_not_found_exception"}, "status": 404}]

    assert not index.nominate(REQUEST).is_complete


def test_records_that_cannot_be_read_are_told(
    index: OpenSearchMemoryIndex, folder: FollowedFolder
) -> None:
    folder.is_down = True

    with pytest.raises(UnavailableError):
        index.nominate(REQUEST)


def test_what_is_pending_is_left_out_of_the_index_and_scored_beside_it(
    index: OpenSearchMemoryIndex, node: Node, folder: FollowedFolder
) -> None:
    folder.records.commit(update_of(memory_of("m0", "red car"), content="green shoe"))
    folder.records.commit(deletion_of(memory_of("m1", "red bus")))
    folder.records.commit(creation_of(memory_of("m3", "red shoe")))

    pool = index.nominate(REQUEST)

    assert pool.ids == ["m3"]
    assert pool.is_complete
    assert node.excluded == [[{"ids": {"values": ["m0", "m1", "m2", "m3"]}}]]


def test_a_pending_memory_that_cannot_be_read_is_told_and_the_others_are_found(
    index: OpenSearchMemoryIndex, folder: FollowedFolder
) -> None:
    folder.followed.damaged.add("m0")

    pool = index.nominate(REQUEST)

    assert pool.ids == ["m1"]
    assert not pool.is_complete


def test_of_too_many_pending_writes_the_newest_are_searched(
    index: OpenSearchMemoryIndex, folder: FollowedFolder
) -> None:
    for i in range(MAX_PENDING):
        folder.records.commit(creation_of(memory_of(f"n{i:04}", "a red car")))

    pool = index.nominate(request_of("red", vector=None, neighbours=False, pool=2_000))

    assert len(pool.ids) == MAX_PENDING
    assert all(memory_id.startswith("n") for memory_id in pool.ids)
    assert not pool.is_complete
