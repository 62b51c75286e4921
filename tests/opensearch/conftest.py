"""One node for all tests of this folder."""

from collections.abc import Iterator

import pytest
from opensearchpy import OpenSearch

from infra.local.opensearch_node import running_node
from omoide.adapters.fake import FakeClock
from omoide.adapters.opensearch import connect
from tests.contract.folders import clock_at
from tests.opensearch.followed import OpenSearchFolder


@pytest.fixture(scope="session")
def node_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_node(tmp_path_factory.mktemp("node")) as url:
        yield url


@pytest.fixture(scope="session")
def client(node_url: str) -> Iterator[OpenSearch]:
    opened = connect(node_url)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> FakeClock:
    return clock_at()


@pytest.fixture
def folder(client: OpenSearch, clock: FakeClock) -> Iterator[OpenSearchFolder]:
    opened = OpenSearchFolder(client, clock=clock)
    yield opened
    opened.close()
