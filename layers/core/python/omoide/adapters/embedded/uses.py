"""Access counters in SQLite, written in batches off the request path."""

import json
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice

from omoide.adapters.embedded.database import Connection, Database
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.domain.access import count_access, session_hour
from omoide.domain.memory import SCHEMA_VERSION, Use
from omoide.engine.times import microseconds, time_of
from omoide.ports.use_log import Accessed

DELAY_S = 1.0
_KEPT_HOURS = 2
_TOGETHER = 200
"""Accesses counted in one transaction: a few milliseconds."""

_PAUSE_S = 0.002
"""Between two transactions: whoever waits to write comes first."""

_COLUMNS = (
    "memory_id, accessed_at, access_count, access_count_7d, access_count_30d, feedback,"
    " last_access_utility"
)

logger = logging.getLogger(__name__)

_Access = tuple[str, str, str, int]
"""Namespace, memory id, session, hour: counted once."""


class SqliteUseLog:
    """Implements `UseLog`: what is recorded is written at most a second later, and at close.

    Args:
        database: The data file.
        namespaces: The registry.
        delay_s: How long accesses are gathered into one write.
    """

    def __init__(
        self, database: Database, namespaces: NamespaceRegistry, *, delay_s: float = DELAY_S
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._delay_s = delay_s
        self._pending: dict[_Access, datetime] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._is_closed = False

    def record(self, accessed: Accessed) -> None:
        """Count accesses soon."""
        hour = session_hour(accessed.at)
        with self._lock:
            for memory_id in accessed.memory_ids:
                access = (accessed.namespace, memory_id, accessed.session, hour)
                self._pending.setdefault(access, accessed.at)
            self._wait_for_more()

    def _wait_for_more(self) -> None:
        """See to it that what is pending will be written; the lock is held."""
        if not self._pending or self._timer is not None or self._is_closed:
            return
        self._timer = threading.Timer(self._delay_s, self._flush_quietly)
        self._timer.daemon = True
        self._timer.start()

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """The counters of those that were ever used."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM use"  # noqa: S608 - constants
                " WHERE memory_id IN (SELECT value FROM json_each(?)) AND nid = ?",
                (json.dumps(list(memory_ids)), self._namespaces.find(connection, namespace)),
            ).fetchall()
        uses = [_use_of(row) for row in rows]
        return {use.memory_id: use for use in uses}

    def flush(self) -> None:
        """Write what was recorded so far.

        Raises:
            UnavailableError: It could not be written; it is kept for the next time.
        """
        with self._lock:
            pending, self._pending = self._pending, {}
        if not pending:
            return
        try:
            while pending:
                portion = dict(islice(pending.items(), _TOGETHER))
                with self._database.writing() as connection:
                    _count(connection, self._namespaces, portion)
                for access in portion:
                    del pending[access]
                time.sleep(_PAUSE_S if pending else 0)
        except BaseException:
            with self._lock:
                self._pending = pending | self._pending
            raise

    def close(self) -> None:
        """Write what is left, and be done with it."""
        with self._lock:
            self._is_closed = True
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
            timer.join()
        self.flush()

    def start_anew(self) -> None:
        """Forget what the process this one was forked from will write itself."""
        self._lock = threading.Lock()
        self._pending = {}
        self._timer = None

    def _flush_quietly(self) -> None:
        try:
            self.flush()
        except Exception as error:  # noqa: BLE001 - the timer must go on whatever happens
            logger.warning("accesses could not be written yet: %s", type(error).__name__)
        finally:
            with self._lock:
                self._timer = None
                self._wait_for_more()


def _count(
    connection: Connection, namespaces: NamespaceRegistry, pending: Mapping[_Access, datetime]
) -> None:
    latest_hour = max(hour for _, _, _, hour in pending)
    for (namespace, memory_id, session, hour), at in pending.items():
        nid = namespaces.find(connection, namespace)
        live = connection.execute(
            "SELECT 1 FROM memory WHERE id = ? AND nid = ? AND shown", (memory_id, nid)
        ).fetchone()
        if nid is None or live is None:
            continue
        connection.execute(
            "INSERT OR IGNORE INTO session_hour VALUES (?, ?, ?)", (memory_id, session, hour)
        )
        if connection.changes():
            _count_one(connection, nid, memory_id, at)
    connection.execute(
        "DELETE FROM session_hour WHERE (memory_id, session, hour) IN (SELECT memory_id, session,"
        " hour FROM session_hour WHERE hour < ? ORDER BY hour LIMIT ?)",
        (latest_hour - _KEPT_HOURS, 2 * _TOGETHER),
    )


def _count_one(connection: Connection, nid: int, memory_id: str, at: datetime) -> None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM use WHERE memory_id = ?",  # noqa: S608 - constants
        (memory_id,),
    ).fetchone()
    use = count_access(None if row is None else _use_of(row), memory_id, at)
    connection.execute(
        "INSERT OR REPLACE INTO use VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            memory_id,
            nid,
            microseconds(use.accessed_at),
            use.access_count,
            use.access_count_7d,
            use.access_count_30d,
            use.feedback,
            use.last_access_utility,
            SCHEMA_VERSION,
        ),
    )


def _use_of(row: tuple[str, int, int, float, float, float, float | None]) -> Use:
    memory_id, accessed_at, count, count_7d, count_30d, feedback, utility = row
    return Use(
        memory_id=memory_id,
        accessed_at=time_of(accessed_at),
        access_count=count,
        access_count_7d=count_7d,
        access_count_30d=count_30d,
        feedback=feedback,
        last_access_utility=utility,
    )
