"""What a data folder takes on disk."""

from pathlib import Path

from infra.local.bench.report import Figure
from omoide.adapters.embedded.folder import DATA_FILE, SEGMENTS

_MIB = 1 << 20


def disk_figures(data: Path) -> list[Figure]:
    """Sizes of the files of a closed data folder.

    Args:
        data: The folder.
    """
    segments = [file.stat().st_size for file in (data / SEGMENTS).glob("*.seg")]
    return [
        Figure(name="records on disk", value=(data / DATA_FILE).stat().st_size / _MIB, unit="MB"),
        Figure(name="segment files on disk", value=sum(segments) / _MIB, unit="MB"),
        Figure(name="segment files", value=len(segments), unit="files"),
    ]
