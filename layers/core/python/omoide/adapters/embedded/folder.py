"""Opening a data folder."""

import atexit
import os
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.index import MEMORY_BUDGET_BYTES, SEGMENT_ROWS, EmbeddedMemoryIndex
from omoide.adapters.embedded.keys import SqliteKeyStore
from omoide.adapters.embedded.limiter import SqliteRateLimiter
from omoide.adapters.embedded.maintenance import Maintenance
from omoide.adapters.embedded.model_binding import ModelBinding, bind_model, bound_model
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.adapters.embedded.records import SqliteMemoryRecords
from omoide.adapters.embedded.schema import prepare
from omoide.adapters.embedded.shown import SqliteShownMemories
from omoide.adapters.embedded.uses import SqliteUseLog
from omoide.adapters.embedded.verification import Problem, verify_folder
from omoide.adapters.embedded.worker import MaintenanceWorker
from omoide.domain.errors import UnavailableError
from omoide.ports.clock import Clock, Entropy

DATA_FILE = "omoide.sqlite3"
LIMITS_FILE = "limits.sqlite3"
SHOWN_FILE = "shown.sqlite3"
SEGMENTS = "segments"
BACKUPS = "backups"


class EmbeddedFolder:
    """The adapters of one data folder. Close it, or leave its ``with`` block, when done.

    Attributes:
        path: The folder.
        records: `MemoryRecords` and `WriteLookups`.
        index: `MemoryIndex`.
        uses: `UseLog`.
        keys: `KeyStore`.
        limiter: `RateLimiter`.
        shown: `ShownMemories`.
        maintenance: Keeps the index in few files; runs by itself.
    """

    def __init__(
        self,
        path: Path,
        binding: ModelBinding,
        database: Database,
        *,
        clock: Clock,
        entropy: Entropy,
        memory_budget_bytes: int,
        segment_rows: int,
    ) -> None:
        self.path = path
        self._binding = binding
        self._database = database
        namespaces = self._namespaces = NamespaceRegistry()
        segments, revision, dims = path / SEGMENTS, binding.revision, binding.dims
        self.maintenance = Maintenance(
            database, segments, clock, revision=revision, dims=dims, segment_rows=segment_rows
        )
        self._worker = MaintenanceWorker(self.maintenance)
        self.records = SqliteMemoryRecords(database, namespaces, clock, self._worker.written)
        self.index = EmbeddedMemoryIndex(
            database,
            namespaces,
            segments,
            revision=revision,
            dims=dims,
            look_soon=self._worker.request,
            make_file=self._worker.request_file,
            memory_budget_bytes=memory_budget_bytes,
            segment_rows=segment_rows,
        )
        self.uses = SqliteUseLog(database, namespaces)
        self.keys = SqliteKeyStore(database, entropy)
        self.limiter = SqliteRateLimiter(path / LIMITS_FILE, clock)
        self.shown = SqliteShownMemories(path / SHOWN_FILE)
        self._look_after_process()

    def _look_after_process(self) -> None:
        """Close at the end of the process; open anew in a child of it."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_ForkHandler(self))
        self._at_exit = _ExitHandler(self)
        atexit.register(self._at_exit)

    def verify(self) -> tuple[Problem, ...]:
        """What is wrong with the folder; nothing when the index equals the records.

        Raises:
            UnavailableError: The folder cannot be read.
        """
        return verify_folder(self._database, self.path / SEGMENTS, self._binding)

    def rebuild_index(self) -> None:
        """Make the whole index anew from the records.

        Raises:
            UnavailableError: The folder cannot be read or written.
        """
        with self._database.reading() as connection:
            nids = [row[0] for row in connection.execute("SELECT nid FROM namespace")]
        for nid in nids:
            self.maintenance.rebuild(nid)

    def compact(self, namespace: str) -> None:
        """Make one file of everything in a namespace, so that no trace of what is gone stays.

        Nothing happens while another process is at its files.

        Raises:
            UnavailableError: The folder cannot be read or written.
        """
        with self._database.reading() as connection:
            nid = self._namespaces.find(connection, namespace)
        if nid is not None:
            self.maintenance.run(nid, is_forced=True)

    def close(self) -> None:
        """Write what waits, stop maintenance and let go of the files."""
        atexit.unregister(self._at_exit)
        try:
            self.uses.close()
        finally:
            self._worker.close()
            self.index.close()
            self.limiter.close()
            self.shown.close()
            self._database.close()

    def start_anew(self) -> None:
        """Give up what belongs to the process this one was forked from."""
        self.uses.start_anew()
        self._worker.start_anew()
        self.index.start_anew()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _ExitHandler:
    """Closes a folder that was forgotten, without keeping it alive."""

    def __init__(self, folder: EmbeddedFolder) -> None:
        self._reference = weakref.ref(folder)

    def __call__(self) -> None:
        folder = self._reference()
        if folder is not None:
            folder.close()


class _ForkHandler:
    """Calls a folder without keeping it alive."""

    def __init__(self, folder: EmbeddedFolder) -> None:
        self._reference = weakref.ref(folder)

    def __call__(self) -> None:
        folder = self._reference()
        if folder is not None:
            folder.start_anew()


def open_folder(
    path: str | os.PathLike[str],
    *,
    revision: str,
    model_id: str,
    dims: int,
    clock: Clock,
    entropy: Entropy,
    accept_other_model: bool = False,
    memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
    segment_rows: int = SEGMENT_ROWS,
) -> EmbeddedFolder:
    """Open a data folder, made with mode 0700 when it is not there. Any number may be open.

    Args:
        path: The folder.
        revision: Revision of the embedding model that fills and searches it.
        model_id: Name of that model.
        dims: Length of its vectors.
        accept_other_model: Take over what another model filled; it is found by terms alone.
        clock: The time of day.
        entropy: Randomness.
        memory_budget_bytes: Private memory of the index in this process.
        segment_rows: So many new memories of a namespace become a file.

    Raises:
        IncompatibleDataError: A newer program or another model filled it, or it is not ours.
        UnavailableError: It cannot be read or written.
    """
    binding = ModelBinding(model_id=model_id, revision=revision, dims=dims)
    database = _open_database(Path(path), binding, accept_other_model=accept_other_model)
    return EmbeddedFolder(
        Path(path),
        binding,
        database,
        clock=clock,
        entropy=entropy,
        memory_budget_bytes=memory_budget_bytes,
        segment_rows=segment_rows,
    )


def _open_database(folder: Path, binding: ModelBinding, *, accept_other_model: bool) -> Database:
    make_private(folder)
    make_private(folder / SEGMENTS)
    database = Database(folder / DATA_FILE)
    prepare(database, backups=folder / BACKUPS)
    bind_model(database, binding, accept_other_model=accept_other_model)
    return database


def read_binding(path: str | os.PathLike[str]) -> ModelBinding | None:
    """The embedding model a data folder belongs to; None when there is no folder yet.

    Raises:
        IncompatibleDataError: It was filled by a newer program, or is no data folder of ours.
        UnavailableError: It cannot be read.
    """
    folder = Path(path)
    if not (folder / DATA_FILE).is_file():
        return None
    database = Database(folder / DATA_FILE)
    try:
        prepare(database, backups=folder / BACKUPS)
        with database.reading() as connection:
            return bound_model(connection)
    finally:
        database.close()


def make_private(folder: Path) -> None:
    """Make a folder for its owner alone; one that is there keeps its mode.

    Raises:
        UnavailableError: It cannot be made.
    """
    if folder.is_dir():
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise UnavailableError(
            f"the data folder cannot be made: {error.strerror}; OMOIDE_DATA names another place"
        ) from error
