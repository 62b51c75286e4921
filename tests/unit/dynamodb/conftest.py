"""A table in this process, and the wire to it."""

from collections.abc import Iterator

import pytest

from omoide.adapters.fake import FakeClock
from tests.contract.folders import clock_at
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire


@pytest.fixture
def clock() -> FakeClock:
    return clock_at()


@pytest.fixture
def pauses() -> list[float]:
    """Seconds waited between attempts."""
    return []


@pytest.fixture
def folder(clock: FakeClock, pauses: list[float]) -> Iterator[TableFolder]:
    opened = TableFolder(clock, sleep=pauses.append)
    yield opened
    opened.close()


@pytest.fixture
def wire(folder: TableFolder) -> Iterator[Wire]:
    opened = Wire()
    yield opened
    opened.close()
