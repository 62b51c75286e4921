"""Each contract test runs once per adapter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.adapters.fake import FakeClock
from tests.contract.folders import LOCAL_OPENERS, OPENERS, Folder, LocalFolder, clock_at


@pytest.fixture
def clock() -> FakeClock:
    return clock_at()


@pytest.fixture(params=OPENERS)
def folder(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Folder]:
    opened = OPENERS[request.param](tmp_path / "data", clock)
    yield opened
    opened.close()


@pytest.fixture(params=LOCAL_OPENERS)
def local_folder(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[LocalFolder]:
    opened = LOCAL_OPENERS[request.param](tmp_path / "data", clock)
    yield opened
    opened.close()
