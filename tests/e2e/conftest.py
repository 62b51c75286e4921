"""Servers shared by the end-to-end tests of one file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_server import RunningServer, running_server


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder shared by the tests of one file."""
    return tmp_path_factory.mktemp("e2e") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[RunningServer]:
    """A server without keys."""
    with running_server(data) as running:
        yield running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is end to end."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)
