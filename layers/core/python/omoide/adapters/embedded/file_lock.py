"""A lock between processes that ends with its holder, on every platform."""

import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

_PAUSE_S = 0.005

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


class FileLock:
    """Holds a file locked. Closing it, or the end of the process, lets go.

    Args:
        path: The file, made when it is not there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock unless someone holds it."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if _try_lock(descriptor):
            self._descriptor = descriptor
            return True
        os.close(descriptor)
        return False

    def release(self) -> None:
        """Let go; nothing happens when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        while not self.try_acquire():
            time.sleep(_PAUSE_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
