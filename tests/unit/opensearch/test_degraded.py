"""While the index is away the newest memories are searched, and the answer says so."""

import socket
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from opensearchpy.exceptions import ConnectionTimeout, TransportError

from omoide.adapters.fake.following import FakeScoringSource, FollowedFolder
from omoide.adapters.opensearch import IndexLayout, OpenSearchMemoryIndex, connect
from omoide.adapters.opensearch.breaker import FIRST_REST_S, LONGEST_REST_S
from omoide.adapters.opensearch.index import (
    MAX_PENDING,
    PATIENCE_S,
    READING_S,
)
from omoide.domain.errors import UnavailableError
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.scoring_source import IndexEntry
from tests.contract.samples import (
    DIMS,
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)

LAYOUT = IndexLayout(revision=REVISION, dims=DIMS)


class Stopwatch:
    """Shows the time it was moved to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


class SlowSource:
    """Scoring data of which each reading takes a time.

    Attributes:
        step_s: Seconds.
    """

    def __init__(self, source: FakeScoringSource, stopwatch: Stopwatch) -> None:
        self._source = source
        self._stopwatch = stopwatch
        self.step_s = 0.0
        self.newest = source.newest
        self.page = source.page

    def read(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        self._stopwatch.move(self.step_s)
        return self._source.read(memories)


class Node:
    """Stands for the client: fails as told, else answers as an empty index."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.answers: list[dict[str, Any]] = []
        self.timeouts: list[float] = []
        self.excluded: list[Any] = []

    def msearch(self, *, body: list[dict[str, Any]], params: dict[str, Any]) -> dict[str, Any]:
        self.timeouts.append(params["request_timeout"])
        self.excluded.append(body[3]["query"]["bool"]["filter"]["bool"].get("must_not"))
        if self.failure is not None:
            raise self.failure
        if self.answers:
            return {"responses": self.answers}
        empty = {"value": 0}
        terms = {"buckets": [{"doc_count": 0}]}
        statistics = {
            "hits": {"total": empty},
            "aggregations": {
                "own_length": empty,
                "context_length": empty,
                "own": terms,
                "words": terms,
            },
        }
        return {"responses": [statistics, {"hits": {"hits": []}}]}


@pytest.fixture
def folder() -> FollowedFolder:
    made = FollowedFolder()
    for i, text in enumerate(["red car", "red bus", "blue sky"]):
        made.records.commit(creation_of(memory_of(f"m{i}", text)))
    return made


@pytest.fixture
def node() -> Node:
    return Node()


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def index(folder: FollowedFolder, node: Any, stopwatch: Stopwatch) -> OpenSearchMemoryIndex:
    return OpenSearchMemoryIndex(
        node, LAYOUT, pending=folder.pending, source=folder.source, stopwatch=stopwatch
    )


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


REQUEST = request_of("red", vector=None, neighbours=False)


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


def test_an_index_that_was_down_is_left_alone_for_a_while(
    index: OpenSearchMemoryIndex, node: Node, stopwatch: Stopwatch
) -> None:
    node.failure = TransportError(503, "unavailable", {})
    index.nominate(REQUEST)
    node.failure = None

    at_once = index.nominate(REQUEST)
    stopwatch.now += FIRST_REST_S
    later = index.nominate(REQUEST)

    assert not at_once.is_complete
    assert later.is_complete
    assert len(node.timeouts) == 2


def test_an_index_that_stays_down_is_asked_ever_more_seldom_and_not_forgotten(
    index: OpenSearchMemoryIndex, node: Node, stopwatch: Stopwatch
) -> None:
    node.failure = TransportError(503, "unavailable", {})
    asked_at: list[float] = []
    for _ in range(40):
        before = len(node.timeouts)
        index.nominate(REQUEST)
        if len(node.timeouts) > before:
            asked_at.append(stopwatch.now)
        stopwatch.now += FIRST_REST_S / 2

    rests = [after - before for before, after in pairwise(asked_at)]

    assert rests[:2] == [FIRST_REST_S, 2 * FIRST_REST_S]
    assert set(rests[2:]) == {LONGEST_REST_S}


def test_while_the_index_is_down_as_many_are_read_as_time_allows_the_newest_first(
    node: Any, folder: FollowedFolder, stopwatch: Stopwatch
) -> None:
    for i in range(1_000):
        folder.records.commit(creation_of(memory_of(f"n{i:04}", "a red car")))
    folder.followed.pending.clear()
    node.failure = TransportError(503, "unavailable", {})
    source = SlowSource(folder.source, stopwatch)
    index = OpenSearchMemoryIndex(
        node, LAYOUT, pending=folder.pending, source=source, stopwatch=stopwatch
    )
    everything = request_of("red", vector=None, neighbours=False, pool=5_000)

    whole = index.nominate(everything)
    source.step_s = READING_S / 2
    partial = index.nominate(everything)

    assert len(whole.ids) == 1_002
    assert set(partial.ids) == {f"n{i:04}" for i in range(500, 1_000)}
    assert not partial.is_complete


def test_while_the_index_is_down_an_old_memory_that_was_changed_is_found_as_it_is_now(
    index: OpenSearchMemoryIndex,
    node: Node,
    folder: FollowedFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("omoide.adapters.opensearch.index.NEWEST_SEARCHED", 1)
    monkeypatch.setattr("omoide.adapters.opensearch.index._STEP", 1)
    folder.followed.pending.clear()
    folder.records.commit(update_of(memory_of("m0", "red car"), content="red shoe"))
    node.failure = TransportError(503, "unavailable", {})

    pool = index.nominate(request_of("red shoe", vector=None, neighbours=False))

    assert pool.ids == ["m0"]
    assert pool.own_counts.tolist() == [[1, 1]]


def test_an_index_that_accepts_and_never_answers_is_given_up(folder: FollowedFolder) -> None:
    folder.followed.pending.clear()
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        index = OpenSearchMemoryIndex(
            connect(f"http://127.0.0.1:{deaf.getsockname()[1]}"),
            LAYOUT,
            pending=folder.pending,
            source=folder.source,
        )
        first = index.nominate(request_of("red car"))
        second = index.nominate(request_of("red car"))

    assert set(first.ids) == set(second.ids) == {"m0", "m1", "m2"}
    assert not first.is_complete
    assert not second.is_complete


def test_everything_together_takes_less_than_two_seconds() -> None:
    assert PATIENCE_S + READING_S <= 1.5


def test_the_index_has_so_much_time_and_no_more(index: OpenSearchMemoryIndex, node: Node) -> None:
    index.nominate(REQUEST)

    assert node.timeouts == [pytest.approx(PATIENCE_S)]


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
