"""What `UseLog` promises."""

import math
from datetime import timedelta

import pytest

from omoide.ports.use_log import Accessed
from tests.contract.folders import Folder
from tests.contract.samples import NOW, creation_of, deletion_of, memory_of

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def access(
    folder: Folder, *memory_ids: str, session: str = "s", after: timedelta = 0 * DAY
) -> None:
    folder.uses.record(
        Accessed(namespace="team/a", memory_ids=memory_ids, session=session, at=NOW + after)
    )
    folder.uses.flush()


def test_a_memory_never_used_has_no_counters(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))

    assert folder.uses.get_many("team/a", ["m1", "unknown"]) == {}
    assert folder.uses.get_many("nowhere", ["m1"]) == {}


def test_a_session_counts_once_an_hour(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))

    access(folder, "m1", "m1")
    access(folder, "m1", after=HOUR / 2)
    access(folder, "m1", session="other", after=HOUR / 2)
    access(folder, "m1", after=HOUR)

    use = folder.uses.get_many("team/a", ["m1"])["m1"]
    assert use.access_count == 3
    assert use.accessed_at == NOW + HOUR


def test_counters_fade_with_time(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))

    access(folder, "m1")
    access(folder, "m1", after=7 * DAY)

    use = folder.uses.get_many("team/a", ["m1"])["m1"]
    assert use.access_count == 2
    assert use.access_count_7d == pytest.approx(1 + math.exp(-1))
    assert use.access_count_30d == pytest.approx(1 + math.exp(-7 / 30))


def test_an_access_told_late_adds_what_is_left_of_it(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))

    access(folder, "m1", after=7 * DAY)
    access(folder, "m1")

    use = folder.uses.get_many("team/a", ["m1"])["m1"]
    assert use.accessed_at == NOW + 7 * DAY
    assert use.access_count_7d == pytest.approx(1 + math.exp(-1))


def test_only_live_memories_of_the_namespace_are_counted(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("gone")))
    folder.records.commit(deletion_of(memory_of("gone")))
    folder.records.commit(creation_of(memory_of("elsewhere", namespace="team/b")))

    access(folder, "gone", "elsewhere", "unknown")

    assert folder.uses.get_many("team/a", ["gone", "elsewhere", "unknown"]) == {}
    assert folder.uses.get_many("team/b", ["elsewhere"]) == {}


def test_a_deleted_memory_takes_its_counters_with_it(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    access(folder, "m1")

    folder.records.commit(deletion_of(memory_of("m1")))

    assert folder.uses.get_many("team/a", ["m1"]) == {}


def test_counters_of_other_namespaces_are_not_told(folder: Folder) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    folder.records.commit(creation_of(memory_of("m2", namespace="team/b")))
    access(folder, "m1")

    assert folder.uses.get_many("team/b", ["m1"]) == {}
