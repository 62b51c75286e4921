"""The registry of namespaces."""

from omoide.adapters.embedded.database import Connection
from omoide.domain.memory import SCHEMA_VERSION


class NamespaceRegistry:
    """Numbers for names; a number once given never changes."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def find(self, connection: Connection, name: str) -> int | None:
        """The number of a namespace, None when nothing was ever stored there."""
        known = self._known.get(name)
        if known is not None:
            return known
        row = connection.execute("SELECT nid FROM namespace WHERE name = ?", (name,)).fetchone()
        if row is None or connection.in_transaction:
            return None if row is None else row[0]
        self._known[name] = row[0]
        return row[0]

    def register(self, connection: Connection, name: str) -> int:
        """The same, giving a number in this write transaction when there is none."""
        known = self.find(connection, name)
        if known is not None:
            return known
        ((nid,),) = connection.execute(
            "INSERT INTO namespace(name, schema) VALUES (?, ?) RETURNING nid",
            (name, SCHEMA_VERSION),
        ).fetchall()
        return nid
