"""Connections to one SQLite file: many readers, one writer at a time, safe across fork."""

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import apsw

from omoide.adapters.embedded.checkpoints import Checkpoints
from omoide.adapters.embedded.write_queue import WriteQueue
from omoide.domain.errors import IncompatibleDataError, UnavailableError

MINIMUM_SQLITE = (3, 51, 3)
"""Older versions can corrupt a file that two processes write (WAL reset, fixed in 3.51.3)."""

BUSY_TIMEOUT_S = 10.0
READER_CACHE_KIB = 2_000
WRITER_CACHE_KIB = 16_000
_SHORT_PAUSE_S = 0.0002
_SHORT_TRIES = 100
_LONG_PAUSE_S = 0.004

_BUSY = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_UNUSABLE = (
    *(apsw.CantOpenError, apsw.IOError, apsw.FullError, apsw.ReadOnlyError),
    *(apsw.PermissionsError, apsw.AuthError, apsw.NoMemError, apsw.NoLFSError),
)

SqlValue = None | int | float | str | bytes


class DamagedFileError(IncompatibleDataError):
    """A file is damaged, or is no SQLite file."""


class FileTakenError(UnavailableError):
    """The file was removed or replaced while it was in use."""


class Rows(Protocol):
    """The rows of a statement."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...
    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row."""
        ...

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows left."""
        ...


class Connection(Protocol):
    """What is used of an `apsw.Connection`, typed."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(self, statements: str, bindings: Sequence[SqlValue] | None = None) -> Rows:
        """Run statements."""
        ...

    def pragma(self, name: str) -> Any:  # noqa: ANN401 - depends on the pragma
        """Read a pragma."""
        ...

    def changes(self) -> int:
        """Rows changed by the last statement."""
        ...

    def set_wal_hook(self, hook: "WalHook", /) -> None:
        """Have it called after each commit instead of SQLite's own copying of the log."""
        ...

    def wal_checkpoint(self, *, mode: int) -> tuple[int, int]:
        """Copy the log into the file; its pages, and how many are copied."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


WalHook = Callable[[Any, str, int], int]
"""Takes the connection, the name of the database and the pages of the log."""

_abandoned: list[Connection] = []
"""Connections inherited through a fork: neither used nor closed, as SQLite demands."""


def require_safe_sqlite() -> None:
    """Refuse a SQLite that several processes may not share.

    Raises:
        IncompatibleDataError: It is older than `MINIMUM_SQLITE`.
    """
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split(".")[:3])
    if version < MINIMUM_SQLITE:
        needed = ".".join(map(str, MINIMUM_SQLITE))
        raise IncompatibleDataError(
            f"SQLite {needed} or newer is needed, this is {apsw.sqlite_lib_version()}:"
            " older ones can corrupt a file that several processes write"
        )


class Database:
    """One SQLite file in WAL mode.

    Args:
        path: The file; made, readable for its owner alone, when it is not there.
        is_durable: Whether a commit outlives a power cut; otherwise only the process.
        busy_timeout_s: How long a write waits for others.
    """

    def __init__(
        self, path: Path, *, is_durable: bool = True, busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> None:
        require_safe_sqlite()
        self.path = path
        self._synchronous = "FULL" if is_durable else "OFF"
        self._busy_timeout_s = busy_timeout_s
        self._idle: list[Connection] = []
        self._writer: Connection | None = None
        self._write_lock = threading.Lock()
        self._checkpoints = Checkpoints(self._open, self._write_lock)
        self._queue = WriteQueue(path.with_suffix(".queue"))
        self._is_closed = False
        self._file: tuple[int, int] | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_ForkHandler(self))

    def connect(self, *, cache_kib: int = READER_CACHE_KIB) -> Connection:
        """Open one more connection; whoever asks for it closes it.

        Args:
            cache_kib: Pages it keeps in memory, in KiB.
        """
        with translated_errors(self.path):
            return self._open(cache_kib)

    def _open(self, cache_kib: int = READER_CACHE_KIB) -> Connection:
        if self._file is None and not self.path.exists():
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self._require_same_file()
        opened = apsw.Connection(str(self.path))
        opened.set_busy_handler(self._wait)
        connection = cast("Connection", opened)
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA cache_size=-{cache_kib}")
        return connection

    def _open_writer(self) -> Connection:
        connection = self._open(WRITER_CACHE_KIB)
        connection.set_wal_hook(self._checkpoints.committed)
        return connection

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """Lend a connection; each statement sees every committed change.

        Raises:
            DamagedFileError: The file is damaged.
            UnavailableError: The file cannot be read.
        """
        with translated_errors(self.path):
            self._require_same_file()
            connection = self._idle.pop() if self._idle else self.connect()
            try:
                yield connection
            finally:
                if self._is_closed:
                    connection.close()
                else:
                    self._idle.append(connection)

    @contextlib.contextmanager
    def writing(self) -> Generator[Connection]:
        """Run one write transaction: committed at the end, undone by any error.

        Raises:
            DamagedFileError: The file is damaged.
            UnavailableError: Others kept the file busy too long, or it cannot be written.
        """
        with translated_errors(self.path), self._write_lock:
            connection = self._writer = self._writer or self._open_writer()
            self._require_same_file()
            self._queue.enter(self._busy_timeout_s)
            try:
                connection.execute("BEGIN IMMEDIATE")
            finally:
                self._queue.leave()
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every idle connection; those lent are closed when they come back."""
        self._is_closed = True
        self._checkpoints.close()
        with self._write_lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            self._queue.close()
        while self._idle:
            self._idle.pop().close()

    def _require_same_file(self) -> None:
        """Refuse a file that was removed or replaced: what is written to the old one is lost."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            raise FileTakenError("the data folder was removed: start anew") from None
        place = (found.st_dev, found.st_ino)
        self._file = self._file or place
        if place != self._file:
            raise FileTakenError("the data file was replaced by another one: start anew")

    def _wait(self, tries: int) -> bool:
        """Wait for another writer: shortly, since only one process at a time waits here."""
        time.sleep(_SHORT_PAUSE_S if tries < _SHORT_TRIES else _LONG_PAUSE_S)
        return tries * _LONG_PAUSE_S < self._busy_timeout_s

    def start_anew(self) -> None:
        """Forget every connection: they belong to the process this one was forked from."""
        for connection in (*self._idle, self._writer):
            if connection is not None:
                abandon(connection)
        self._idle = []
        self._writer = None
        self._write_lock = threading.Lock()
        self._checkpoints = Checkpoints(self._open, self._write_lock)
        self._queue.close()


def abandon(connection: Connection) -> None:
    """Keep a connection inherited through a fork from ever being closed."""
    _abandoned.append(connection)


class _ForkHandler:
    """Calls a database without keeping it alive."""

    def __init__(self, database: Database) -> None:
        self._reference = weakref.ref(database)

    def __call__(self) -> None:
        database = self._reference()
        if database is not None:
            database.start_anew()


@contextlib.contextmanager
def translated_errors(path: Path) -> Generator[None]:
    """Turn the errors of SQLite and of the operating system into ours."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise DamagedFileError(f"{path.name} is damaged or not a data file: {error}") from error
    except _BUSY as error:
        raise UnavailableError("the data folder is busy, try again") from error
    except _UNUSABLE as error:
        raise UnavailableError(f"the data folder cannot be used: {error}") from error
    except OSError as error:
        # Its own text names the path.
        raise UnavailableError(f"the data folder cannot be used: {error.strerror}") from error
