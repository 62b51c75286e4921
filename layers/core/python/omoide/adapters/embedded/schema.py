"""The tables, and bringing an older file up to them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import apsw

from omoide.adapters.embedded.database import Connection, Database, translated_errors
from omoide.adapters.embedded.file_lock import FileLock
from omoide.domain.errors import IncompatibleDataError

APPLICATION_ID = 0x4F6D6F69
"""``Omoi``: tells our files from other SQLite files."""

SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE namespace(
  nid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, schema INTEGER NOT NULL,
  live INTEGER NOT NULL DEFAULT 0, dead_floor INTEGER NOT NULL DEFAULT 0);
CREATE TABLE memory(
  rid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, nid INTEGER NOT NULL, version INTEGER NOT NULL,
  schema INTEGER NOT NULL, shown INTEGER NOT NULL, deleted_at INTEGER, fingerprint TEXT,
  created_at INTEGER NOT NULL, memory_type TEXT NOT NULL, status TEXT NOT NULL, layer TEXT,
  pinned INTEGER NOT NULL, importance REAL NOT NULL, confidence REAL NOT NULL,
  event_time INTEGER NOT NULL, invalidated_at INTEGER, expires_at INTEGER,
  session_id TEXT, turn INTEGER, speaker TEXT, agent_id TEXT, user_id TEXT, tags TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE INDEX memory_page ON memory(nid, created_at DESC, id DESC) WHERE shown;
CREATE INDEX memory_status ON memory(nid, status, expires_at) WHERE shown;
CREATE INDEX memory_turn ON memory(nid, session_id, turn, id)
  WHERE shown AND session_id IS NOT NULL;
CREATE INDEX memory_deleted ON memory(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE history(
  hid INTEGER PRIMARY KEY, memory_id TEXT NOT NULL, version INTEGER NOT NULL,
  schema INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE(memory_id, version));
CREATE TABLE fingerprint(
  nid INTEGER NOT NULL, fingerprint TEXT NOT NULL, memory_id TEXT NOT NULL,
  schema INTEGER NOT NULL, PRIMARY KEY(nid, fingerprint)) WITHOUT ROWID;
CREATE TABLE operation(
  principal TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL,
  memory_id TEXT NOT NULL, outcome TEXT NOT NULL,
  expires_at INTEGER NOT NULL, schema INTEGER NOT NULL,
  PRIMARY KEY(principal, name, key)) WITHOUT ROWID;
CREATE INDEX operation_expiry ON operation(expires_at);
CREATE TABLE use(
  memory_id TEXT PRIMARY KEY, nid INTEGER NOT NULL, accessed_at INTEGER NOT NULL,
  access_count INTEGER NOT NULL, access_count_7d REAL NOT NULL, access_count_30d REAL NOT NULL,
  feedback REAL NOT NULL, last_access_utility REAL, schema INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE session_hour(
  memory_id TEXT NOT NULL, session TEXT NOT NULL, hour INTEGER NOT NULL,
  PRIMARY KEY(memory_id, session, hour)) WITHOUT ROWID;
CREATE INDEX session_hour_age ON session_hour(hour);
CREATE TABLE api_key(
  key_id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, schema INTEGER NOT NULL,
  body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE secret(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE scoring(
  vid INTEGER PRIMARY KEY AUTOINCREMENT, nid INTEGER NOT NULL, memory_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL, revision TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX scoring_namespace ON scoring(nid, vid);
CREATE TABLE dead(
  dseq INTEGER PRIMARY KEY AUTOINCREMENT, nid INTEGER NOT NULL, vid INTEGER NOT NULL);
CREATE INDEX dead_namespace ON dead(nid, dseq);
CREATE TABLE segment(
  sid INTEGER PRIMARY KEY AUTOINCREMENT, nid INTEGER NOT NULL, low INTEGER NOT NULL,
  high INTEGER NOT NULL, rows INTEGER NOT NULL, file TEXT NOT NULL);
CREATE INDEX segment_namespace ON segment(nid, low);
"""
"""Times are microseconds since 1970 UTC. ``vid`` is given in the write transaction, so its order
is the order of commits; a segment covers ``low < vid <= high``; ``dead`` lists vids that went."""

MIGRATIONS: Sequence[str] = ("ALTER TABLE operation DROP COLUMN http_status",)
"""Script ``i`` takes a file of version ``i + 1`` to version ``i + 2``."""


def prepare(
    database: Database,
    *,
    backups: Path,
    migrations: Sequence[str] = MIGRATIONS,
    now: datetime | None = None,
) -> None:
    """Make the tables of a new file; bring an older one up, after a backup.

    Args:
        database: The file.
        backups: Folder for backups.
        migrations: The known steps.
        now: Aware time for the name of a backup.

    Raises:
        IncompatibleDataError: The file was written by a newer program, or is not ours.
        UnavailableError: It cannot be read or written.
    """
    with translated_errors(database.path):
        _prepare(database, backups, migrations, now or datetime.now(UTC))


def _prepare(database: Database, backups: Path, migrations: Sequence[str], now: datetime) -> None:
    present = 1 + len(migrations)
    connection = database.connect()
    try:
        if _version_of(connection, present) == present:
            return
        with FileLock(database.path.with_suffix(".lock")):
            version = _version_of(connection, present)
            if version == 0:
                _create(connection, present)
            elif version < present:
                back_up(connection, backups, version, now)
                _migrate(connection, version, migrations)
    finally:
        connection.close()


def back_up(connection: Connection, backups: Path, version: int, now: datetime) -> Path:
    """Copy the whole file, consistently, and return where to."""
    backups.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = backups / f"omoide-v{version}-{now:%Y%m%dT%H%M%S%fZ}.sqlite3"
    copy = apsw.Connection(str(target))
    try:
        target.chmod(0o600)
        with copy.backup("main", cast("apsw.Connection", connection), "main") as backup:
            backup.step()
    finally:
        copy.close()
    return target


def _version_of(connection: Connection, present: int) -> int:
    # In one transaction: another process may be making the tables at this moment.
    connection.execute("BEGIN")
    try:
        version = connection.pragma("user_version")
        owner = connection.pragma("application_id")
        changes = connection.pragma("schema_version")
    finally:
        connection.execute("COMMIT")
    if version == owner == changes == 0:
        return 0
    if owner != APPLICATION_ID or not isinstance(version, int):
        raise IncompatibleDataError("the data file was made by another program")
    if version > present:
        raise IncompatibleDataError(
            f"the data folder has version {version}, this program reads up to {present}:"
            " update the program, or use another folder"
        )
    return version


def _create(connection: Connection, present: int) -> None:
    connection.execute("PRAGMA page_size=8192")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(SCHEMA)
    _stamp(connection, present)
    connection.execute("COMMIT")


def _migrate(connection: Connection, version: int, migrations: Sequence[str]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for script in migrations[version - 1 :]:
            connection.execute(script)
        _stamp(connection, 1 + len(migrations))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _stamp(connection: Connection, version: int) -> None:
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={version}")
