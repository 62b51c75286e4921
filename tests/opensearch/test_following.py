"""The node follows the records: in any order, under writes, through faults, kills and rebuilds."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from opensearchpy import OpenSearch

from infra.local.opensearch_node import start_node
from omoide.adapters.opensearch import connect
from omoide.adapters.opensearch.documents import routing_of
from omoide.domain.errors import UnavailableError
from omoide.ports.scoring_source import IndexEntry
from omoide.services.redrive_dead_letters import RedriveDeadLetters
from omoide.services.reindex import Reindex
from tests.contract.samples import (
    EVERYTHING,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    update_of,
)
from tests.opensearch.followed import OpenSearchFolder, layout_of, ref
from tests.opensearch.random_writer import RandomWriter

pytestmark = pytest.mark.opensearch


@pytest.fixture
def folder(client: OpenSearch) -> Iterator[OpenSearchFolder]:
    opened = OpenSearchFolder(client)
    yield opened
    opened.close()


@pytest.mark.parametrize("is_paused", [False, True])
def test_each_of_200_writes_is_seen_at_once(folder: OpenSearchFolder, is_paused: bool) -> None:
    writer = RandomWriter(folder.records.commit, seed=int(is_paused))
    for _ in range(20):
        writer.write()
    folder.records.is_paused = is_paused

    for _ in range(200):
        writer.write()
        pool = folder.index.nominate(request_of("red", vector=None, where=EVERYTHING, pool=300))
        assert set(pool.ids) == set(writer.live)
        newest = writer.live.get(writer.written[-1])
        if newest is not None:
            word = newest.content.split()[1]
            found = folder.index.nominate(request_of(word, vector=None))
            assert newest.id in found.ids

    folder.records.index()
    assert folder.indexed() == set(writer.live)
    assert folder.memory.followed.pending == {}


def test_entries_may_come_in_any_order(folder: OpenSearchFolder) -> None:
    memory = memory_of("m1", "red car")
    stale: list[IndexEntry] = []
    folder.records.is_paused = True
    for change in (
        creation_of(memory),
        update_of(memory, content="red bus"),
        deletion_of(memory_of("m1", version=2)),
    ):
        folder.records.commit(change)
        stale += folder.memory.source.read([ref("m1")])

    for entry in (stale[1], stale[0]):
        folder.writer.write([entry])
    after_late_creation: int = folder.client.get(
        index=folder.layout.alias, id="m1", params={"routing": routing_of("team/a")}
    )["_version"]
    for entry in (stale[2], stale[1], stale[0]):
        folder.writer.write([entry])

    assert after_late_creation == stale[1].index_version
    assert folder.indexed() == set()


def test_a_late_write_does_not_bring_back_what_was_never_indexed(folder: OpenSearchFolder) -> None:
    folder.records.is_paused = True
    memory = memory_of("m1")
    folder.records.commit(creation_of(memory))
    created = folder.memory.source.read([ref("m1")])
    folder.records.commit(deletion_of(memory))

    folder.records.index()
    folder.writer.write(created)

    assert folder.indexed() == set()


def test_a_poisoned_memory_stays_findable_for_others_and_is_mended(
    folder: OpenSearchFolder,
) -> None:
    folder.records.is_paused = True
    for i in range(5):
        folder.records.commit(creation_of(memory_of(f"m{i}", "red car")))
    folder.memory.followed.damaged.add("m2")

    folder.records.index()
    found = folder.unwatched_index.nominate(request_of("red car"))
    folder.memory.followed.damaged.clear()
    redriven = RedriveDeadLetters(
        pending=folder.memory.pending,
        index_pending=folder.index_pending,
        dead_letters=folder.memory.dead_letters,
    )()

    assert set(found.ids) == {"m0", "m1", "m3", "m4"}
    assert not found.is_complete
    assert redriven.mended_count == 1
    assert set(folder.index.nominate(request_of("red car")).ids) == {f"m{i}" for i in range(5)}


def test_neighbours_are_found_across_gaps_and_filters(folder: OpenSearchFolder) -> None:
    turns = [1, 2, 5, 9, 10, 40, 41, 90]
    for turn in turns:
        memory = memory_of(
            f"m{turn}",
            f"number{turn}",
            session_id="s",
            turn=turn,
            speaker="Hanako" if turn % 2 else "Kenji",
        )
        folder.memory.records.commit(creation_of(memory))
    folder.records.index()

    for turn in turns:
        place = turns.index(turn)
        request = request_of(f"number{turn}", vector=None)
        expected = {f"m{t}" for t in turns[max(0, place - 1) : place + 2]}
        assert set(folder.index.nominate(request).ids) == expected


def test_an_index_is_built_anew_under_writes_and_loses_none(folder: OpenSearchFolder) -> None:
    writer = RandomWriter(folder.records.commit, seed=3)
    for _ in range(150):
        writer.write()
    former = set(folder.client.indices.get_alias(name=folder.layout.alias))
    done = threading.Event()

    def go_on_writing() -> None:
        while not done.is_set():
            writer.write()

    thread = threading.Thread(target=go_on_writing)
    thread.start()
    try:
        outcome = Reindex(source=folder.memory.source, builder=folder.builder, page=10)()
    finally:
        done.set()
        thread.join()

    folder.records.index()
    now = set(folder.client.indices.get_alias(name=folder.layout.alias))
    assert outcome.is_complete
    assert outcome.fault_count == 0
    assert now.isdisjoint(former)
    assert not folder.client.indices.exists(index=former.pop())
    assert not folder.client.indices.exists_alias(name=folder.layout.next_alias)
    assert folder.indexed() == set(writer.live)


def test_an_interrupted_build_goes_on_and_another_layout_begins_anew(
    folder: OpenSearchFolder,
) -> None:
    for i in range(30):
        folder.memory.records.commit(creation_of(memory_of(f"m{i:02}")))
    folder.records.index()
    reindex = Reindex(source=folder.memory.source, builder=folder.builder, page=10)

    stopped = reindex(on_page=lambda count: False)
    building = set(folder.client.indices.get_alias(name=folder.layout.next_alias))
    resumed = reindex()
    again = reindex(on_page=lambda count: False)
    begun_anew = reindex(anew=True)

    assert (stopped.count, resumed.count) == (10, 20)
    assert (again.count, begun_anew.count) == (10, 30)
    assert building.isdisjoint(folder.client.indices.get_alias(name=folder.layout.alias))
    assert folder.indexed() == {f"m{i:02}" for i in range(30)}


def test_tenants_do_not_change_each_others_statistics(folder: OpenSearchFolder) -> None:
    folder.memory.records.commit(creation_of(memory_of("m1", "tea water")))
    for i in range(50):
        other = memory_of(f"o{i}", "tea tea tea", namespace="team/b")
        folder.memory.records.commit(creation_of(other))
    folder.records.index()

    pool = folder.index.nominate(request_of("tea"))

    assert pool.ids == ["m1"]
    assert pool.own.document_count == 1
    assert pool.own.document_frequency.tolist() == [1.0]


def test_a_node_that_is_killed_is_done_without_and_catches_up(tmp_path: Path) -> None:
    node = start_node(tmp_path / "node")
    try:
        client = connect(node.url)
        folder = OpenSearchFolder(client, layout_of())
        writer = RandomWriter(folder.records.commit, seed=4)
        for _ in range(50):
            writer.write()
        node.kill()
        folder.records.is_paused = True
        for _ in range(20):
            writer.write()
        while_down = folder.unwatched_index.nominate(request_of("red", where=EVERYTHING))
        with pytest.raises(UnavailableError):
            folder.records.index()
        assert len(folder.memory.followed.pending) > 0

        node = start_node(tmp_path / "node", port=int(node.url.rpartition(":")[2]))
        folder.records.index()

        assert not while_down.is_complete
        assert set(while_down.ids) == set(writer.live)
        assert folder.indexed() == set(writer.live)
        assert folder.memory.followed.pending == {}
        client.close()
    finally:
        node.kill()
