"""Processes that write to one data folder and search it."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from omoide.adapters.embedded import EmbeddedFolder, open_folder
from omoide.adapters.system.clock import SystemClock, SystemEntropy
from tests.contract.samples import DIMS, REVISION

SEGMENT_ROWS = 64


def opened(path: Path, segment_rows: int = SEGMENT_ROWS, **options: Any) -> EmbeddedFolder:
    """The folder as every process of a test opens it."""
    usual: dict[str, Any] = {
        "revision": REVISION,
        "model_id": "fake",
        "dims": DIMS,
        "clock": SystemClock(),
        "entropy": SystemEntropy(),
    }
    return open_folder(path, segment_rows=segment_rows, **(usual | options))


def finish_threads(kind: type[threading.Thread], name: str = "") -> None:
    """Wait for what runs in the background of this process."""
    for thread in threading.enumerate():
        if isinstance(thread, kind) and thread.name.startswith(name):
            thread.join()


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
