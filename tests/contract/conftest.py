"""Each contract test runs once per adapter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.adapters.fake import FakeClock
from tests.contract.folders import LOCAL_OPENERS, OPENERS, Folder, clock_at


@pytest.fixture
def clock() -> FakeClock:
    return clock_at()


MARKS = {"emulator": [pytest.mark.emulator]}


@pytest.fixture(params=[pytest.param(name, marks=MARKS.get(name, ())) for name in OPENERS])
def folder(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Folder]:
    opened = OPENERS[request.param](tmp_path / "data", clock)
    yield opened
    opened.close()


@pytest.fixture(params=LOCAL_OPENERS)
def local_folder(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[Folder]:
    opened = LOCAL_OPENERS[request.param](tmp_path / "data", clock)
    yield opened
    opened.close()
