"""Copying the log of commits into the data file beside the writes, not within one.

SQLite leaves this to whichever commit makes the log long: that one waits for a thousand pages and
two flushes of the disk. Here a thread does it with a connection of its own.
"""

import contextlib
import threading
from collections.abc import Callable
from typing import Protocol

import apsw

from omoide.domain.errors import OmoideError

EVERY_PAGES = 1_000
"""Pages of the log that are worth a copy."""

LONGEST_LOG_PAGES = 32_768
"""Of a log so long the commit itself makes the copy: the thread cannot keep up, or cannot run."""

RESET_PAGES = 4_000
"""From here on the copy is finished while writes wait, so that the log begins anew."""

_FEW_PAGES = 250
_MORE_TRIES = 3
_CLOSE_TIMEOUT_S = 10.0


class LogConnection(Protocol):
    """What is used of a connection."""

    def wal_checkpoint(self, *, mode: int) -> tuple[int, int]:
        """Copy the log into the file; its pages, and how many are copied."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Checkpoints:
    """Decides after each commit whether the log is to be copied.

    Args:
        connect: Opens a connection.
        write_lock: Held by whoever writes in this process.
    """

    def __init__(self, connect: Callable[[], LogConnection], write_lock: threading.Lock) -> None:
        self._connect = connect
        self._write_lock = write_lock
        self._state = threading.Lock()
        self._thread: threading.Thread | None = None
        self._copied_at = 0
        self._is_closed = False

    def committed(self, connection: LogConnection, name: str, pages: int) -> int:
        """Take note of the length of the log after a commit; `apsw.Connection.set_wal_hook`."""
        if pages < self._copied_at:
            self._copied_at = 0
        if pages >= LONGEST_LOG_PAGES:
            _copy(connection)
        elif pages - self._copied_at >= EVERY_PAGES:
            self._copied_at = pages
            self._start()
        return apsw.SQLITE_OK

    def close(self) -> None:
        """Finish the copy at hand, and make no more."""
        with self._state:
            self._is_closed = True
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_TIMEOUT_S)

    def _start(self) -> None:
        with self._state:
            if self._is_closed or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(
                target=self._work, name="omoide-checkpoint", daemon=True
            )
            self._thread.start()

    def _work(self) -> None:
        # What fails now is tried again some commits later.
        with (
            contextlib.suppress(apsw.Error, OmoideError, OSError),
            contextlib.closing(self._connect()) as connection,
        ):
            pages, copied = _copy(connection)
            for _ in range(_MORE_TRIES):
                if pages - copied >= _FEW_PAGES:
                    pages, copied = _copy(connection)
            if pages >= RESET_PAGES and pages - copied < EVERY_PAGES:
                with self._write_lock:
                    _copy(connection)


def _copy(connection: LogConnection) -> tuple[int, int]:
    """Copy what no reader still needs; pages of the log, and how many of them are copied."""
    return connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
