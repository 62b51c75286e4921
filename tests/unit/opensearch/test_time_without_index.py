"""An index that does not answer holds nobody up: patience, rests and reading have their limits."""

import socket
from itertools import pairwise
from typing import Any

import pytest
from opensearchpy.exceptions import TransportError

from omoide.adapters.fake.following import FollowedFolder
from omoide.adapters.opensearch import OpenSearchMemoryIndex, connect
from omoide.adapters.opensearch.breaker import FIRST_REST_S, LONGEST_REST_S
from omoide.adapters.opensearch.index import PATIENCE_S, READING_S
from tests.contract.samples import creation_of, memory_of, request_of, update_of
from tests.unit.opensearch.node import LAYOUT, REQUEST, Node, SlowSource, Stopwatch


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
