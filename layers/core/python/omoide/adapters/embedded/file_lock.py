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

    def _unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class FileLock:
    """Holds a file locked, until released or the end of the process.

    Args:
        path: The file, made when it is not there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._is_held = False

    def try_acquire(self) -> bool:
        """Take the lock unless someone holds it.

        Raises:
            OSError: The file cannot be made, or this file system has no locks.
        """
        if self._descriptor is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        self._is_held = _try_lock(self._descriptor)
        return self._is_held

    def release(self) -> None:
        """Let go; nothing happens when it is not held."""
        if self._is_held and self._descriptor is not None:
            _unlock(self._descriptor)
            self._is_held = False

    def close(self) -> None:
        """Let go and close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            self._is_held = False

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
        self.close()
