from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.adapters.embedded.folder import open_folder
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeEntropy, FakeFolder
from tests.service.write_desk import WriteDesk, open_desk


@pytest.fixture(params=["fake", "embedded"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WriteDesk]:
    """The services over a folder in memory, and over one on disk."""
    clock, entropy = FakeClock(), FakeEntropy()
    if request.param == "fake":
        yield open_desk(FakeFolder(clock=clock, entropy=entropy), clock)
        return
    profile = FakeEmbedder().profile
    with open_folder(
        tmp_path / "data",
        revision=profile.revision,
        model_id=profile.model_id,
        dims=profile.dims,
        clock=clock,
        entropy=entropy,
    ) as folder:
        yield open_desk(folder, clock)
        assert folder.verify() == ()


@pytest.fixture
def fake_desk() -> WriteDesk:
    """The services over a folder in memory that can be broken on purpose."""
    clock = FakeClock()
    return open_desk(FakeFolder(clock=clock), clock)
