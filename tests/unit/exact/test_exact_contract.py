"""What every engine promises, held against exact search."""

from dataclasses import dataclass

import pytest

from omoide.adapters.exact import ExactMemoryIndex
from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.records import FakeMemoryRecords
from tests.contract.golden_ranking import RecordedEmbedder, golden_changes, run_golden
from tests.contract.test_index import *  # noqa: F403
from tests.unit.exact.exact_folder import ExactFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What the tests of the contract use of a folder."""

    records: FakeMemoryRecords
    index: ExactMemoryIndex


@pytest.fixture
def folder() -> Searched:
    """The folder that the tests of the contract are given here."""
    made = ExactFolder(FakeClock())
    return Searched(records=made.records, index=made.exact)


def test_the_golden_queries_have_the_golden_order() -> None:
    profile = RecordedEmbedder().profile
    folder = ExactFolder(revision=profile.revision, dims=profile.dims)
    for change in golden_changes():
        folder.records.commit(change)

    run_golden(folder.records, folder.exact)
    run_golden(folder.records, folder.exact)
