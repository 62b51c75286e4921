"""Processes that write to one data folder and search it."""

import subprocess
import sys
from pathlib import Path

from omoide.adapters.embedded import EmbeddedFolder, open_folder
from tests.contract.samples import DIMS, REVISION

SEGMENT_ROWS = 64


def opened(path: Path, segment_rows: int = SEGMENT_ROWS) -> EmbeddedFolder:
    """The folder as every process of a test opens it."""
    return open_folder(
        path, revision=REVISION, model_id="fake", dims=DIMS, segment_rows=segment_rows
    )


def start(module: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a module of these tests in a process of its own; its lines can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.integration.embedded.{module}", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def say(line: str) -> None:
    """Tell the parent something at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
