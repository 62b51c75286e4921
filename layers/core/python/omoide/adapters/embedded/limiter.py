"""A rate limiter shared by all processes, in a file of its own.

It is apart from the data because it is written on every limited request: here a commit need not
outlive a power cut, does not wait for a store, and makes no reader look for new memories.
"""

import threading
from pathlib import Path

from omoide.adapters.embedded.database import Database
from omoide.domain.errors import RateLimitedError
from omoide.engine.times import microseconds
from omoide.ports.clock import Clock
from omoide.ports.rate_limiter import RequestKind

_WINDOW_US = 60_000_000
_SECOND_US = 1_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS hit(subject TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS hit_subject ON hit(subject, kind, at);
CREATE INDEX IF NOT EXISTS hit_age ON hit(at);
"""


class SqliteRateLimiter:
    """Implements `RateLimiter`.

    Args:
        path: Its file, made at the first request.
        clock: The time of day.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._database: Database | None = None
        self._lock = threading.Lock()

    def check(self, subject: str, kind: RequestKind, limit: int) -> None:
        """Count one request.

        Raises:
            RateLimitedError: More than ``limit`` requests in the last minute; not counted.
        """
        database = self._opened()
        now = microseconds(self._clock.now())
        with database.writing() as connection:
            connection.execute("DELETE FROM hit WHERE at <= ?", (now - _WINDOW_US,))
            row = connection.execute(
                "SELECT count(*) FROM hit WHERE subject = ? AND kind = ?", (subject, kind)
            ).fetchone()
            count: int = 0 if row is None else row[0]
            if count < limit:
                connection.execute("INSERT INTO hit VALUES (?, ?, ?)", (subject, kind, now))
                return
            oldest = connection.execute(
                "SELECT at FROM hit WHERE subject = ? AND kind = ? ORDER BY at LIMIT 1 OFFSET ?",
                (subject, kind, max(0, count - max(limit, 1))),
            ).fetchone()
        freed_at = (now if oldest is None else oldest[0]) + _WINDOW_US
        raise RateLimitedError(
            f"{limit} {kind} requests a minute are allowed",
            retry_after_s=max(1, -((now - freed_at) // _SECOND_US)),
            count=count,
        )

    def close(self) -> None:
        """Close its file."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _opened(self) -> Database:
        with self._lock:
            if self._database is None:
                database = Database(self._path, is_durable=False)
                connection = database.connect()
                try:
                    connection.execute("PRAGMA journal_mode=WAL")
                    connection.execute(_SCHEMA)
                finally:
                    connection.close()
                self._database = database
            return self._database
