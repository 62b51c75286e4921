"""A SQLite file beside the data, of what is worth little: damaged, it is made anew."""

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from omoide.adapters.embedded.database import (
    Connection,
    DamagedFileError,
    Database,
    FileTakenError,
    translated_errors,
)
from omoide.adapters.embedded.file_lock import FileLock

_T = TypeVar("_T")


class SideFile:
    """Opened at its first use, shared by all processes; a commit need not outlive a power cut.

    Args:
        path: The file.
        schema: Statements that make its tables where they are not there.
    """

    def __init__(self, path: Path, schema: str) -> None:
        self._path = path
        self._schema = schema
        self._database: Database | None = None
        self._lock = threading.Lock()

    def use(self, work: Callable[[Database], _T]) -> _T:
        """Do some work with it; once more when it had to be made anew.

        Raises:
            UnavailableError: It cannot be used.
        """
        try:
            return work(self._opened())
        except (DamagedFileError, FileTakenError):
            self._make_anew()
            return work(self._opened())

    def close(self) -> None:
        """Close it."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _opened(self) -> Database:
        with self._lock:
            if self._database is None:
                self._database = self._prepared()
            return self._database

    def _prepared(self) -> Database:
        database = Database(self._path, is_durable=False)
        with translated_errors(self._path), contextlib.closing(database.connect()) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(self._schema)
        return database

    def _make_anew(self) -> None:
        """Replace the damaged file, unless another process has done so."""
        self.close()
        with (
            translated_errors(self._path),
            self._lock,
            FileLock(self._path.with_suffix(".lock")),
        ):
            if _is_damaged(self._path):
                for ending in ("", "-wal", "-shm"):
                    self._path.with_name(self._path.name + ending).unlink(missing_ok=True)


def _is_damaged(path: Path) -> bool:
    try:
        with translated_errors(path), contextlib.closing(Database(path).connect()) as connection:
            return _first_complaint(connection) != "ok"
    except DamagedFileError:
        return True


def _first_complaint(connection: Connection) -> str | None:
    row = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if row is None else row[0]
