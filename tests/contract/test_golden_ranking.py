"""Every engine leads to the golden order."""

from collections.abc import Callable
from pathlib import Path

import pytest

from omoide.adapters.embedded import open_folder
from omoide.adapters.fake import FakeFolder
from omoide.adapters.system.clock import SystemClock, SystemEntropy
from tests.contract.folders import Folder
from tests.contract.golden_ranking import RecordedEmbedder, golden_changes, run_golden


def fake(path: Path) -> Folder:
    return FakeFolder()


def embedded_tail(path: Path) -> Folder:
    return embedded(path, 10_000)


def embedded_segments(path: Path) -> Folder:
    return embedded(path, 8)


def embedded(path: Path, segment_rows: int) -> Folder:
    profile = RecordedEmbedder().profile
    return open_folder(
        path,
        revision=profile.revision,
        model_id=profile.model_id,
        dims=profile.dims,
        clock=SystemClock(),
        entropy=SystemEntropy(),
        segment_rows=segment_rows,
    )


@pytest.mark.parametrize("open_engine", [fake, embedded_tail, embedded_segments])
def test_the_golden_queries_have_the_golden_order(
    open_engine: Callable[[Path], Folder], tmp_path: Path
) -> None:
    folder = open_engine(tmp_path / "data")
    for change in golden_changes():
        folder.records.commit(change)

    run_golden(folder.records, folder.index)
    run_golden(folder.records, folder.index)

    folder.close()
