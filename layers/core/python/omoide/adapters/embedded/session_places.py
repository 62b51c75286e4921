"""Whether a change still finds the neighbours in its session that it was decided by."""

from omoide.adapters.embedded.database import Connection
from omoide.domain.errors import VersionConflictError
from omoide.domain.memory import Memory
from omoide.ports.memory_records import MemoryChange, Neighbour

_PREVIOUS = "turn < ? ORDER BY turn DESC, id DESC"
_NEXT = "turn > ? ORDER BY turn, id"
_SAME = "turn = ?"


def require_place(connection: Connection, nid: int, change: MemoryChange) -> None:
    """Refuse a change whose memory has other neighbours by now.

    Args:
        connection: In a write transaction that has not written the record yet.
        nid: Number of the memory's namespace.
        change: The change.

    Raises:
        VersionConflictError: Another memory came between, changed, went, or has the turn.
    """
    memory, place = change.memory, change.place
    if place is None or memory.session_id is None or memory.turn is None:
        return
    if place.is_assigned and _find(connection, nid, memory, _SAME) is not None:
        raise VersionConflictError
    if not place.is_between:
        return
    if _find(connection, nid, memory, _PREVIOUS) != place.previous:
        raise VersionConflictError
    if _find(connection, nid, memory, _NEXT) != place.next:
        raise VersionConflictError


def _find(connection: Connection, nid: int, memory: Memory, clause: str) -> Neighbour | None:
    row = connection.execute(
        "SELECT id, version FROM memory"  # noqa: S608 - constants
        f" WHERE nid = ? AND session_id = ? AND shown AND id != ? AND {clause} LIMIT 1",
        (nid, memory.session_id, memory.id, memory.turn),
    ).fetchone()
    return None if row is None else Neighbour(memory_id=row[0], version=row[1])
