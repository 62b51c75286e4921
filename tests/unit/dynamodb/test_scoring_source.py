"""What `ScoringSource` promises, on a table."""

import pytest

from omoide.adapters.dynamodb.scoring_source import DynamoScoringSource
from omoide.adapters.fake import FakeClock
from omoide.engine.codec import encode
from omoide.ports.memory_records import Rescoring
from omoide.ports.pending_writes import MemoryRef
from tests.contract.samples import (
    REVISION,
    creation_of,
    deletion_of,
    memory_of,
    scoring_of,
    update_of,
)
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire
from tests.unit.dynamodb.written import ref, store


def test_entries_tell_what_an_index_should_hold(folder: TableFolder, clock: FakeClock) -> None:
    memory, gone = store(folder, clock, "m1", "gone")
    folder.records.commit(deletion_of(gone))
    folder.records.commit(creation_of(memory_of("hidden", visible=False)))

    entries = folder.source.read([ref("m1"), ref("gone"), ref("hidden"), ref("unknown")])

    assert [(entry.version, entry.index_version) for entry in entries] == [
        (1, 1),
        (2, 2),
        (1, 1),
        (0, 0),
    ]
    assert entries[0].scoring == encode(scoring_of(memory))
    assert [entry.scoring for entry in entries[1:]] == [None, None, None]


def test_the_index_version_grows_with_every_write_of_record_or_scoring_data(
    folder: TableFolder, clock: FakeClock
) -> None:
    (follower,) = store(folder, clock, "m2")
    rescoring = Rescoring(scoring=scoring_of(follower, "before"))
    seen: list[tuple[int, int]] = []

    for change in (
        creation_of(memory_of("m1"), rescorings=(rescoring,)),
        update_of(follower),
        deletion_of(memory_of("m2", version=2)),
    ):
        folder.records.commit(change)
        (entry,) = folder.source.read([ref("m2")])
        seen.append((entry.version, entry.index_version))

    assert seen == [(1, 2), (2, 3), (3, 4)]


def test_the_newest_memories_come_oldest_first(folder: TableFolder, clock: FakeClock) -> None:
    memories = store(folder, clock, *(f"m{i}" for i in range(6)))
    for memory in memories[3:]:
        folder.records.commit(deletion_of(memory))

    newest = folder.source.newest("team/a", 2)
    before = folder.source.newest("team/a", 5, before=newest[0])

    entries = folder.source.read_live(newest)

    assert entries == folder.source.read(newest)
    assert newest == [ref("m1"), ref("m2")]
    assert before == [ref("m0")]


@pytest.mark.parametrize("limit", [3, 1_000])
def test_all_pages_tell_every_live_memory_of_every_namespace(
    folder: TableFolder, clock: FakeClock, limit: int
) -> None:
    store(folder, clock, "m1", "m2", "m3")
    folder.records.commit(deletion_of(memory_of("m3")))
    folder.records.commit(creation_of(memory_of("m4", namespace="team/b")))
    found: list[MemoryRef] = []
    position: str | None = None
    while True:
        page = folder.source.page(position, limit)
        found += [entry.memory for entry in page.entries]
        position = page.position
        if position is None:
            break

    assert sorted(one.memory_id for one in found) == ["m1", "m2", "m4"]
    assert ref("m4", "team/b") in found


def test_scoring_data_of_another_model_are_no_entries(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    (memory,) = store(folder, clock, "m1")
    other = scoring_of(memory, revision="another#model")
    folder.records.commit(creation_of(memory_of("m0"), rescorings=(Rescoring(scoring=other),)))

    (entry,) = folder.source.read([ref("m1")])

    kept = [item["sk"]["S"] for item in wire.items() if item["sk"]["S"].startswith("VEC#m1")]
    assert entry.scoring is None
    assert kept == ["VEC#m1#another%23model"]
    found = folder.records.find_scoring("m1", None)
    assert found is not None
    assert found.revision == "another#model"
    assert isinstance(folder.source, DynamoScoringSource)
    assert REVISION not in kept[0]
