"""The write transaction: everything one change does, or nothing."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from omoide.adapters.embedded.database import Connection
from omoide.adapters.embedded.memory_documents import write_memory
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.adapters.embedded.session_places import require_place
from omoide.domain.errors import FingerprintTakenError, OperationTakenError, VersionConflictError
from omoide.domain.memory import SCHEMA_VERSION, Memory
from omoide.domain.scoring_data import ScoringData
from omoide.engine.times import microseconds
from omoide.ports.memory_records import MemoryChange, Operation

_COLUMNS = (
    *("nid", "version", "schema", "shown", "deleted_at", "fingerprint", "created_at"),
    *("memory_type", "status", "layer", "pinned", "importance", "confidence", "event_time"),
    *("invalidated_at", "expires_at", "session_id", "turn", "speaker", "agent_id", "user_id"),
    *("tags", "body"),
)
_INSERT = (
    f"INSERT INTO memory(id, {', '.join(_COLUMNS)}) VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"  # noqa: S608 - constants
)
_UPDATE = f"UPDATE memory SET {', '.join(f'{c} = ?' for c in _COLUMNS)} WHERE id = ?"  # noqa: S608 - constants
_DAY_US = 86_400_000_000
_MOST_EXPIRED = 16
"""Expired operations that go with each one recorded, so that no write waits for many."""


class _Former(NamedTuple):
    """What the transaction needs to know of the stored record."""

    nid: int
    version: int
    shown: bool
    is_deleted: bool
    fingerprint: str | None


Blobs = Mapping[int, bytes]
"""Encoded scoring data by the identity of what was encoded."""


class Commit:
    """One change inside one write transaction.

    Args:
        connection: In a write transaction.
        namespaces: The registry.
        now: Aware time; recorded operations that expired by then are replaced.
    """

    def __init__(
        self, connection: Connection, namespaces: NamespaceRegistry, now: datetime
    ) -> None:
        self._connection = connection
        self._namespaces = namespaces
        self._now = microseconds(now)

    def apply(self, change: MemoryChange, blobs: Blobs) -> int:
        """Do everything; return the namespace's number.

        Raises:
            FingerprintTakenError: Another live memory has the fingerprint.
            OperationTakenError: The operation is recorded already.
            VersionConflictError: The stored record has another version, or other neighbours.
        """
        memory = change.memory
        nid = self._namespaces.register(self._connection, memory.namespace)
        former = self._former(memory.id)
        if former is not None and former.nid != nid:
            raise ValueError("a memory never changes its namespace")
        self._check_operation(change.operation)
        _check_version(former, change.expected_version)
        require_place(self._connection, nid, change)
        self._move_fingerprint(nid, former, memory)
        self._write_record(nid, former, memory)
        self._write_scoring(nid, memory.id, change.scoring if _is_shown(memory) else None, blobs)
        if change.operation is not None:
            self._record_operation(change.operation)
        for rescoring in change.rescorings:
            self._rescore(rescoring.scoring, blobs)
        self._count(nid, former, memory)
        return nid

    def record(self, operation: Operation) -> None:
        """Record an operation that changes no memory.

        Raises:
            OperationTakenError: The operation is recorded already.
        """
        self._check_operation(operation)
        self._record_operation(operation)

    def _former(self, memory_id: str) -> _Former | None:
        row = self._connection.execute(
            "SELECT nid, version, shown, deleted_at IS NOT NULL, fingerprint"
            " FROM memory WHERE id = ?",
            (memory_id,),
        ).fetchone()
        return None if row is None else _Former(*row)

    def _check_operation(self, operation: Operation | None) -> None:
        if operation is None:
            return
        row = self._connection.execute(
            "SELECT 1 FROM operation WHERE principal = ? AND name = ? AND key = ?"
            " AND expires_at > ?",
            (operation.principal, operation.name, operation.key, self._now),
        ).fetchone()
        if row is not None:
            raise OperationTakenError

    def _move_fingerprint(self, nid: int, former: _Former | None, memory: Memory) -> None:
        old = former.fingerprint if former else None
        new = memory.fingerprint if memory.deleted_at is None else None
        if old == new:
            return
        if old is not None:
            self._connection.execute(
                "DELETE FROM fingerprint WHERE nid = ? AND fingerprint = ?", (nid, old)
            )
        if new is None:
            return
        holder = self._connection.execute(
            "SELECT memory_id FROM fingerprint WHERE nid = ? AND fingerprint = ?", (nid, new)
        ).fetchone()
        if holder is not None:
            raise FingerprintTakenError(holder[0])
        self._connection.execute(
            "INSERT INTO fingerprint VALUES (?, ?, ?, ?)", (nid, new, memory.id, SCHEMA_VERSION)
        )

    def _write_record(self, nid: int, former: _Former | None, memory: Memory) -> None:
        if memory.deleted_at is not None:
            self._erase(memory.id)
            memory = _tombstone(memory)
        elif former is not None:
            self._connection.execute(
                "INSERT INTO history(memory_id, version, schema, body)"
                " SELECT id, version, schema, body FROM memory WHERE id = ?",
                (memory.id,),
            )
        values = (
            nid,
            memory.version,
            SCHEMA_VERSION,
            _is_shown(memory),
            _optional(memory.deleted_at),
            memory.fingerprint,
            microseconds(memory.created_at),
            memory.memory_type,
            memory.status,
            memory.layer,
            memory.pinned,
            memory.importance,
            memory.confidence,
            microseconds(memory.event_time),
            _optional(memory.invalidated_at),
            _optional(memory.expires_at),
            memory.session_id,
            memory.turn,
            memory.speaker,
            memory.agent_id,
            memory.user_id,
            json.dumps(memory.tags, ensure_ascii=False),
            write_memory(memory),
        )
        if former is None:
            self._connection.execute(_INSERT, (memory.id, *values))
        else:
            self._connection.execute(_UPDATE, (*values, memory.id))

    def _erase(self, memory_id: str) -> None:
        for table in ("history", "use", "session_hour"):
            self._connection.execute(f"DELETE FROM {table} WHERE memory_id = ?", (memory_id,))  # noqa: S608 - constants

    def _write_scoring(
        self, nid: int, memory_id: str, scoring: ScoringData | None, blobs: Blobs
    ) -> None:
        former = self._connection.execute(
            "SELECT vid FROM scoring WHERE memory_id = ?", (memory_id,)
        ).fetchone()
        if former is not None:
            self._connection.execute("DELETE FROM scoring WHERE vid = ?", former)
            self._connection.execute("INSERT INTO dead(nid, vid) VALUES (?, ?)", (nid, former[0]))
        if scoring is None:
            return
        self._connection.execute(
            "INSERT INTO scoring(nid, memory_id, version, revision, data) VALUES (?, ?, ?, ?, ?)",
            (nid, memory_id, scoring.version, scoring.revision, blobs[id(scoring)]),
        )

    def _rescore(self, scoring: ScoringData, blobs: Blobs) -> None:
        former = self._former(scoring.memory_id)
        if former is not None and former.shown and former.version == scoring.version:
            self._write_scoring(former.nid, scoring.memory_id, scoring, blobs)

    def _record_operation(self, operation: Operation) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO operation VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                operation.principal,
                operation.name,
                operation.key,
                operation.request_hash,
                operation.memory_id,
                operation.outcome,
                microseconds(operation.expires_at),
                SCHEMA_VERSION,
            ),
        )
        self._connection.execute(
            "DELETE FROM operation WHERE (principal, name, key) IN (SELECT principal, name, key"
            " FROM operation WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
            (self._now - _DAY_US, _MOST_EXPIRED),
        )

    def _count(self, nid: int, former: _Former | None, memory: Memory) -> None:
        difference = _is_shown(memory) - bool(former and former.shown)
        if difference:
            self._connection.execute(
                "UPDATE namespace SET live = live + ? WHERE nid = ?", (difference, nid)
            )


def _check_version(former: _Former | None, expected: int | None) -> None:
    if former is None or former.is_deleted:
        holds = former is None and expected is None
    else:
        holds = former.version == expected
    if not holds:
        raise VersionConflictError


def _is_shown(memory: Memory) -> bool:
    return memory.visible and memory.deleted_at is None


def _optional(time: datetime | None) -> int | None:
    return None if time is None else microseconds(time)


def _tombstone(memory: Memory) -> Memory:
    """What stays of a deleted memory: its identity and when it went."""
    return Memory(
        id=memory.id,
        namespace=memory.namespace,
        content="",
        version=memory.version,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        stored_at=memory.stored_at,
        event_time=memory.created_at,
        deleted_at=memory.deleted_at,
    )
