"""What every engine promises, held against a real node."""

from collections.abc import Iterator

import pytest
from opensearchpy import OpenSearch

from omoide.adapters.fake import FakeClock
from tests.contract.golden_ranking import RecordedEmbedder, golden_changes, run_golden
from tests.contract.test_index import *  # noqa: F403
from tests.opensearch.followed import OpenSearchFolder, layout_of

pytestmark = pytest.mark.opensearch


@pytest.fixture
def folder(client: OpenSearch, clock: FakeClock) -> Iterator[OpenSearchFolder]:
    """The folder that the tests of the contract are given here."""
    opened = OpenSearchFolder(client, clock=clock)
    yield opened
    opened.close()


@pytest.mark.parametrize("is_indexed", [True, False])
def test_the_golden_queries_have_the_golden_order(client: OpenSearch, is_indexed: bool) -> None:
    profile = RecordedEmbedder().profile
    folder = OpenSearchFolder(client, layout_of(profile.revision, profile.dims))
    for change in golden_changes():
        folder.memory.records.commit(change)
    folder.records.index()
    if not is_indexed:
        for change in golden_changes()[::3]:
            folder.memory.records.write_again(change.memory.id)

    run_golden(folder.memory.records, folder.index)

    folder.close()
