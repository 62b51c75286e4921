"""What every engine promises, held against a real node."""

import pytest
from opensearchpy import OpenSearch

from tests.contract.golden_ranking import RecordedEmbedder, golden_changes, run_golden
from tests.contract.test_index import *  # noqa: F403
from tests.opensearch.followed import OpenSearchFolder, layout_of

pytestmark = pytest.mark.opensearch


def test_the_golden_queries_have_the_golden_order(client: OpenSearch) -> None:
    profile = RecordedEmbedder().profile
    folder = OpenSearchFolder(client, layout_of(profile.revision, profile.dims))
    for change in golden_changes():
        folder.memory.records.commit(change)
    folder.records.index()

    run_golden(folder.memory.records, folder.index)

    folder.close()
