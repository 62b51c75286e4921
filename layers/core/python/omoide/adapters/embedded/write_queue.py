"""Where processes stand in line to write, so that none is overtaken for long."""

import contextlib
import time
from pathlib import Path

from omoide.adapters.embedded.file_lock import FileLock

_PAUSE_S = 0.001


class WriteQueue:
    """The place of the one process that writes next.

    Whoever wants to write first takes this place, then waits for the file, and gives the place up
    as soon as it may write: a process that has just written cannot come before the one that
    stands here. It is a courtesy, not a safeguard: a process that cannot have the place in time
    goes on without it.

    Args:
        path: The lock file.
    """

    def __init__(self, path: Path) -> None:
        self._lock = FileLock(path)

    def enter(self, timeout_s: float) -> None:
        """Take the place, or go on without it: after a while, or where there can be no lock."""
        waited_s = 0.0
        with contextlib.suppress(OSError):
            while not self._lock.try_acquire() and waited_s < timeout_s:
                time.sleep(_PAUSE_S)
                waited_s += _PAUSE_S

    def close(self) -> None:
        """Close the lock file."""
        self._lock.close()

    def leave(self) -> None:
        """Give the place up."""
        self._lock.release()
