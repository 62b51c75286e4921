"""A batch of whatever size is written as a whole, or refused as a whole and written one by one."""

import pytest

from omoide.domain.errors import VersionConflictError
from tests.contract.folders import Folder
from tests.contract.samples import creation_of, memory_of


@pytest.mark.parametrize("size", [1, 10, 26, 120])
def test_a_batch_is_written_or_refused_and_then_written_one_by_one(
    folder: Folder, size: int
) -> None:
    changes = [creation_of(memory_of(f"m{i:03}", f"red car {i}")) for i in range(size)]

    try:
        folder.records.commit_all(changes)
    except VersionConflictError:
        assert folder.records.count("team/a") == 0
        for change in changes:
            folder.records.commit(change)

    assert folder.records.count("team/a") == size
    stored = folder.records.get_many("team/a", [change.memory.id for change in changes])
    assert [stored[change.memory.id] for change in changes] == [c.memory for c in changes]


def test_ten_new_memories_fit_into_one_transaction(folder: Folder) -> None:
    changes = [creation_of(memory_of(f"m{i:03}", f"red car {i}")) for i in range(10)]

    folder.records.commit_all(changes)

    assert folder.records.count("team/a") == 10
