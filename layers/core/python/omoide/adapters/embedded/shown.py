"""What sessions were shown, shared by all processes, in a file of its own.

It is apart from the data because it is written at most moments of a conversation and makes no
reader look for new memories.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.side_file import SideFile
from omoide.engine.times import microseconds
from omoide.ports.shown_memories import SHOWN_LIFE

_SCHEMA = """
CREATE TABLE IF NOT EXISTS shown(
  namespace TEXT NOT NULL, session TEXT NOT NULL, memory_id TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY(namespace, session, memory_id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS shown_age ON shown(at);
"""


class SqliteShownMemories:
    """Implements `ShownMemories`.

    Args:
        path: Its file, made at first use.
    """

    def __init__(self, path: Path) -> None:
        self._file = SideFile(path, _SCHEMA)

    def among(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Those of some memories that the session was shown.

        Raises:
            UnavailableError: Its file cannot be used.
        """

        def read(database: Database) -> frozenset[str]:
            with database.reading() as connection:
                found = connection.execute(
                    "SELECT memory_id FROM shown WHERE namespace = ? AND session = ? AND at > ?"
                    " AND memory_id IN (SELECT value FROM json_each(?))",
                    (namespace, session, _oldest(at), json.dumps(list(memory_ids))),
                )
                return frozenset(row[0] for row in found)

        return self._file.use(read)

    def claim(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Mark memories as shown; returns those that nobody had claimed before.

        Raises:
            UnavailableError: Its file cannot be used.
        """

        def write(database: Database) -> frozenset[str]:
            with database.writing() as connection:
                connection.execute("DELETE FROM shown WHERE at <= ?", (_oldest(at),))
                claimed: set[str] = set()
                for memory_id in memory_ids:
                    connection.execute(
                        "INSERT OR IGNORE INTO shown VALUES (?, ?, ?, ?)",
                        (namespace, session, memory_id, microseconds(at)),
                    )
                    if connection.changes():
                        claimed.add(memory_id)
            return frozenset(claimed)

        return self._file.use(write)

    def close(self) -> None:
        """Close its file."""
        self._file.close()


def _oldest(at: datetime) -> int:
    return microseconds(at - SHOWN_LIFE)
