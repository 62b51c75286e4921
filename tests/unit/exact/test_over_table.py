"""What every engine promises, held against exact search over a table."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from omoide.adapters.dynamodb.records import DynamoMemoryRecords
from omoide.adapters.exact import ExactMemoryIndex, KeptWrites
from omoide.adapters.fake import FakeClock
from omoide.ports.memory_records import MemoryChange
from tests.contract.samples import (
    DIMS,
    REVISION,
    creation_of,
    memory_of,
    request_of,
    scoring_of,
)
from tests.contract.table_folder import TableFolder
from tests.contract.test_index import *  # noqa: F403

del test_vectors_of_another_revision_are_not_compared  # noqa: F821


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What the tests of the contract use of a folder."""

    records: DynamoMemoryRecords
    index: ExactMemoryIndex


@pytest.fixture
def folder() -> Iterator[Searched]:
    """The folder that the tests of the contract are given here."""
    clock = FakeClock()
    table = TableFolder(clock)
    index = ExactMemoryIndex(
        pending=KeptWrites(table.pending, clock),
        source=table.source,
        revision=REVISION,
        dims=DIMS,
        clock=clock,
    )
    yield Searched(records=table.records, index=index)
    table.close()


def test_what_another_model_encoded_is_not_found_until_it_is_encoded_anew(
    folder: Searched,
) -> None:
    old = memory_of("old", "red car")
    scoring = scoring_of(old, revision="another")
    folder.records.commit(MemoryChange(memory=old, expected_version=None, scoring=scoring))
    folder.records.commit(creation_of(memory_of("new", "red car")))

    assert folder.index.nominate(request_of("red car")).ids == ["new"]
