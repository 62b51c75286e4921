"""A rate limiter shared by all processes, in a file of its own.

It is apart from the data because it is written on every limited request: here a commit need not
outlive a power cut, does not wait for a store, and makes no reader look for new memories. A damaged
file is made anew: what it held is worth a minute.
"""

from pathlib import Path

from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.side_file import SideFile
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
        self._file = SideFile(path, _SCHEMA)
        self._clock = clock

    def check(self, subject: str, kind: RequestKind, limit: int) -> None:
        """Count one request.

        Raises:
            RateLimitedError: More than ``limit`` requests in the last minute; not counted.
            UnavailableError: Its file cannot be used.
        """
        self._file.use(lambda database: self._count(database, subject, kind, limit))

    def _count(self, database: Database, subject: str, kind: RequestKind, limit: int) -> None:
        now = microseconds(self._clock.now())
        with database.writing() as connection:
            # A clock that was set back leaves hits of a time to come, which would never age.
            outside = (now - _WINDOW_US, now + _WINDOW_US)
            connection.execute("DELETE FROM hit WHERE at <= ? OR at > ?", outside)
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
        self._file.close()
