"""What lists, counts and filters of records promise."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from omoide.domain.identity import RANDOM_BYTES, uuid7
from omoide.domain.memory import Layer, MemoryType, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_records import PagePosition
from tests.contract.folders import Folder
from tests.contract.samples import EVERYTHING, NOW, creation_of, deletion_of, memory_of, update_of

HOUR = timedelta(hours=1)


def all_pages(folder: Folder, where: MemoryFilter, limit: int) -> list[str]:
    ids: list[str] = []
    after: PagePosition | None = None
    while True:
        page = folder.records.page("team/a", where, after, limit)
        ids += [memory.id for memory in page.memories]
        if page.next_position is None:
            return ids
        assert len(page.memories) == limit
        after = page.next_position


def test_pages_go_from_the_newest_to_the_oldest(folder: Folder) -> None:
    times = [NOW + hours * HOUR for hours in (3, 1, 2, 2, 5)]
    ids = [uuid7(at, bytes([i] * RANDOM_BYTES)) for i, at in enumerate(times)]
    for memory_id, at in zip(ids, times, strict=True):
        folder.records.commit(creation_of(memory_of(memory_id, created_at=at)))

    expected = [ids[i] for i in (4, 0, 3, 2, 1)]
    assert [all_pages(folder, EVERYTHING, limit) for limit in (1, 2, 5, 6)] == [expected] * 4


def test_pages_stay_in_place_while_memories_come_and_go(folder: Folder) -> None:
    for i in range(6):
        folder.records.commit(creation_of(memory_of(f"m{i}", created_at=NOW + i * HOUR)))
    first = folder.records.page("team/a", EVERYTHING, None, 2)

    folder.records.commit(creation_of(memory_of("newest", created_at=NOW + 9 * HOUR)))
    folder.records.commit(deletion_of(folder.records.get("m4")))
    folder.records.commit(update_of(folder.records.get("m5"), content="Changed."))
    folder.records.commit(update_of(folder.records.get("m2"), content="Changed."))

    second = folder.records.page("team/a", EVERYTHING, first.next_position, 9)
    assert [m.id for m in first.memories] == ["m5", "m4"]
    assert [m.id for m in second.memories] == ["m3", "m2", "m1", "m0"]
    assert second.memories[1].content == "Changed."
    assert second.next_position is None


def test_a_namespace_without_memories_has_an_empty_page(folder: Folder) -> None:
    page = folder.records.page("nowhere", EVERYTHING, None, 10)

    assert page.memories == ()
    assert page.next_position is None
    assert folder.records.count("nowhere") == 0


def test_counts_are_exact_for_each_namespace(folder: Folder) -> None:
    for i in range(5):
        folder.records.commit(creation_of(memory_of(f"a{i}")))
        folder.records.commit(creation_of(memory_of(f"b{i}", namespace="team/b")))
    archived = folder.records.get("a0")
    folder.records.commit(update_of(archived, status=Status.ARCHIVED))
    folder.records.commit(deletion_of(folder.records.get("a1")))

    assert folder.records.count("team/a") == 4
    assert folder.records.count("team/a", MemoryFilter()) == 3
    assert folder.records.count("team/b") == 5


FILTERED: Sequence[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        {"memory_types": (MemoryType.EPISODIC, MemoryType.PROCEDURAL)},
        {"memory_type": MemoryType.EPISODIC},
        {"memory_type": MemoryType.SEMANTIC},
    ),
    ({"tags_any": ("a", "b")}, {"tags": ("x", "b")}, {"tags": ("x", "ab")}),
    ({"tags_any": ("a",)}, {"tags": ("a",)}, {}),
    ({"tags_all": ("a", "b")}, {"tags": ("b", "x", "a")}, {"tags": ("a",)}),
    ({"statuses": (Status.SUPERSEDED,)}, {"status": Status.SUPERSEDED}, {}),
    ({"session_id": "s"}, {"session_id": "s"}, {"session_id": "S"}),
    ({"agent_id": "a"}, {"agent_id": "a"}, {}),
    ({"user_id": "u"}, {"user_id": "u"}, {"user_id": "v"}),
    ({"speaker": "花子"}, {"speaker": "花子"}, {"speaker": "花"}),
    ({"layer": Layer.FACT}, {"layer": Layer.FACT}, {"layer": Layer.DECISION}),
    ({"pinned": True}, {"pinned": True}, {}),
    ({"pinned": False}, {}, {"pinned": True}),
    ({"importance_min": 0.7}, {"importance": 0.7}, {"importance": 0.6999999}),
    ({"confidence_min": 0.3}, {"confidence": 0.3}, {"confidence": 0.29999999}),
    (
        {"event_after": NOW},
        {"event_time": NOW},
        {"event_time": NOW - timedelta(microseconds=1)},
    ),
    (
        {"event_before": NOW},
        {"event_time": NOW - timedelta(microseconds=1)},
        {"event_time": NOW},
    ),
    ({"valid_at": NOW}, {"event_time": NOW}, {"event_time": NOW + HOUR}),
    ({"valid_at": NOW}, {"invalidated_at": NOW + HOUR}, {"invalidated_at": NOW}),
    (
        {"statuses": (Status.EXPIRED,), "now": NOW},
        {"expires_at": NOW},
        {"expires_at": NOW + HOUR},
    ),
    ({"statuses": (Status.EXPIRED,), "now": NOW}, {"status": Status.EXPIRED}, {}),
    (
        {"statuses": (Status.ARCHIVED, Status.EXPIRED), "now": NOW},
        {"status": Status.ARCHIVED},
        {"expires_at": NOW + HOUR},
    ),
    (
        {"statuses": (Status.ARCHIVED,), "now": NOW},
        {"status": Status.ARCHIVED},
        {"status": Status.ARCHIVED, "expires_at": NOW},
    ),
    ({"now": NOW}, {"expires_at": NOW + HOUR}, {"expires_at": NOW}),
    ({"now": NOW}, {}, {"expires_at": NOW - HOUR}),
]


@pytest.mark.parametrize(("where", "inside", "outside"), FILTERED)
def test_a_filter_lets_pass_what_satisfies_it(
    folder: Folder, where: dict[str, Any], inside: dict[str, Any], outside: dict[str, Any]
) -> None:
    folder.records.commit(creation_of(memory_of("inside", **inside)))
    folder.records.commit(creation_of(memory_of("outside", **outside)))
    condition = MemoryFilter(**where)

    assert all_pages(folder, condition, 10) == ["inside"]
    assert folder.records.count("team/a", condition) == 1


@pytest.mark.parametrize("statuses", [(), (Status.EXPIRED,), (Status.ACTIVE, Status.EXPIRED)])
def test_who_asks_for_expired_memories_gets_them(
    folder: Folder, statuses: tuple[Status, ...]
) -> None:
    past: datetime = NOW - HOUR
    memory = memory_of("m1", expires_at=past)
    folder.records.commit(creation_of(memory))

    where = MemoryFilter(statuses=statuses, now=NOW)

    assert all_pages(folder, where, 10) == ["m1"]
