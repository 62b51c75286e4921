"""Records in SQLite."""

import json
from collections.abc import Collection, Sequence
from typing import Protocol

from omoide.adapters.embedded.commits import Commit
from omoide.adapters.embedded.database import Connection, Database
from omoide.adapters.embedded.filter_sql import Condition, add_filter
from omoide.adapters.embedded.memory_documents import read_memory
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.domain.errors import NotFoundError
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData
from omoide.engine.codec import decode, encode
from omoide.engine.times import microseconds, time_of
from omoide.ports.clock import Clock
from omoide.ports.memory_records import MemoryChange, MemoryPage, Operation, PagePosition


class Written(Protocol):
    """Told of every commit."""

    def __call__(self, nid: int, *, is_deletion: bool) -> None:
        """Take note of the namespace's number and whether a memory was deleted."""
        ...


class SqliteMemoryRecords:
    """Implements `MemoryRecords` and `WriteLookups`.

    Args:
        database: The data file.
        namespaces: The registry.
        clock: Decides whether a recorded operation has expired.
        written: Called after each commit, once per change.
    """

    def __init__(
        self,
        database: Database,
        namespaces: NamespaceRegistry,
        clock: Clock,
        written: Written,
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._clock = clock
        self._written = written

    def commit(self, change: MemoryChange) -> None:
        """Apply a change atomically."""
        self.commit_all([change])

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        """Apply changes in their order, all of them in one transaction or none."""
        if not changes:
            return
        prepared = [(change, _encoded(change)) for change in changes]
        with self._database.writing() as connection:
            commit = Commit(connection, self._namespaces, self._clock.now())
            nids = [commit.apply(change, blobs) for change, blobs in prepared]
        for nid, change in zip(nids, changes, strict=True):
            self._written(nid, is_deletion=change.memory.deleted_at is not None)

    def record_operation(self, operation: Operation) -> None:
        """Record the outcome of a call that changed no memory."""
        with self._database.writing() as connection:
            Commit(connection, self._namespaces, self._clock.now()).record(operation)

    def get(self, memory_id: str) -> Memory:
        """Return a memory of whichever namespace."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT schema, body FROM memory WHERE id = ? AND shown", (memory_id,)
            ).fetchone()
        if row is None:
            raise NotFoundError
        return read_memory(*row)

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Memory]:
        """Return those of the ids that are live in the namespace."""
        with self._database.reading() as connection:
            nid = self._namespaces.find(connection, namespace)
            rows = connection.execute(
                "SELECT schema, body FROM memory"
                " WHERE id IN (SELECT value FROM json_each(?)) AND shown AND +nid = ?",
                (json.dumps(list(memory_ids)), nid),
            ).fetchall()
        memories = [read_memory(*row) for row in rows]
        return {memory.id: memory for memory in memories}

    def page(
        self, namespace: str, where: MemoryFilter, after: PagePosition | None, limit: int
    ) -> MemoryPage:
        """Return the next memories that satisfy the filter, newest first."""
        with self._database.reading() as connection:
            condition = self._condition(connection, namespace, where)
            if after is not None:
                condition.add(
                    "(created_at, id) < (?, ?)", microseconds(after.created_at), after.memory_id
                )
            rows = connection.execute(
                f"SELECT schema, body FROM memory INDEXED BY {_index_of(where, 'memory_page')}"  # noqa: S608 - bound
                f" WHERE {condition.sql}"
                " ORDER BY created_at DESC, id DESC LIMIT ?",
                (*condition.bindings, limit + 1),
            ).fetchall()
        memories = tuple(read_memory(*row) for row in rows[:limit])
        if len(rows) <= limit:
            return MemoryPage(memories=memories, next_position=None)
        last = memories[-1]
        position = PagePosition(created_at=last.created_at, memory_id=last.id)
        return MemoryPage(memories=memories, next_position=position)

    def count(self, namespace: str, where: MemoryFilter | None = None) -> int:
        """Number of live memories."""
        with self._database.reading() as connection:
            if where is None:
                row = connection.execute(
                    "SELECT live FROM namespace WHERE name = ?", (namespace,)
                ).fetchone()
            else:
                condition = self._condition(connection, namespace, where)
                row = connection.execute(
                    f"SELECT count(*) FROM memory INDEXED BY {_index_of(where, 'memory_status')}"  # noqa: S608 - bound
                    f" WHERE {condition.sql}",
                    condition.bindings,
                ).fetchone()
        return 0 if row is None else row[0]

    def history(self, memory_id: str) -> tuple[Memory, ...]:
        """Every earlier version, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT schema, body FROM history WHERE memory_id = ? ORDER BY version",
                (memory_id,),
            ).fetchall()
        return tuple(read_memory(*row) for row in rows)

    def find_fingerprint(self, namespace: str, fingerprint: str) -> str | None:
        """Id of the live memory that holds the fingerprint."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT memory_id FROM fingerprint WHERE nid = ? AND fingerprint = ?",
                (self._namespaces.find(connection, namespace), fingerprint),
            ).fetchone()
        return None if row is None else row[0]

    def find_operation(self, principal: str, name: str, key: str) -> Operation | None:
        """The recorded operation, also when expired."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT request_hash, memory_id, outcome, expires_at FROM operation"
                " WHERE principal = ? AND name = ? AND key = ?",
                (principal, name, key),
            ).fetchone()
        if row is None:
            return None
        return Operation(
            principal=principal,
            name=name,
            key=key,
            request_hash=row[0],
            memory_id=row[1],
            outcome=row[2],
            expires_at=time_of(row[3]),
        )

    def find_scoring(self, memory_id: str, revision: str | None = None) -> ScoringData | None:
        """The stored scoring data of a live memory under a model revision; None is whichever."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT name, data FROM scoring JOIN namespace USING (nid)"
                " WHERE memory_id = ?1 AND revision = coalesce(?2, revision)",
                (memory_id, revision),
            ).fetchone()
        return None if row is None else decode(row[1], memory_id=memory_id, namespace=row[0])

    def previous_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the greatest turn below."""
        clause = "turn < ? ORDER BY turn DESC, id DESC"
        return self._turn((namespace, session_id, turn), clause, without)

    def next_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the smallest turn above."""
        return self._turn((namespace, session_id, turn), "turn > ? ORDER BY turn, id", without)

    def last_turn(self, namespace: str, session_id: str) -> int | None:
        """The greatest turn of the session."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT max(turn) FROM memory"
                " WHERE nid = ? AND session_id = ? AND turn IS NOT NULL AND shown",
                (self._namespaces.find(connection, namespace), session_id),
            ).fetchone()
        return None if row is None else row[0]

    def _turn(
        self, place: tuple[str, str, int], clause: str, without: Collection[str]
    ) -> Memory | None:
        namespace, session_id, turn = place
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT schema, body FROM memory WHERE nid = ? AND session_id = ? AND shown"  # noqa: S608 - constants
                f" AND id NOT IN (SELECT value FROM json_each(?)) AND {clause} LIMIT 1",
                (
                    self._namespaces.find(connection, namespace),
                    session_id,
                    json.dumps(list(without)),
                    turn,
                ),
            ).fetchone()
        return None if row is None else read_memory(*row)

    def _condition(self, connection: Connection, namespace: str, where: MemoryFilter) -> Condition:
        condition = Condition()
        condition.add("nid = ?", self._namespaces.find(connection, namespace))
        condition.add("shown")
        add_filter(condition, where)
        return condition


def _encoded(change: MemoryChange) -> dict[int, bytes]:
    """The scoring data of a change as bytes, by identity, before the write lock is taken."""
    if change.memory.deleted_at is None and change.scoring is None:
        raise ValueError("a memory that is not deleted needs scoring data")
    scorings = (change.scoring, *(r.scoring for r in change.rescorings))
    return {id(scoring): encode(scoring) for scoring in scorings if scoring is not None}


def _index_of(where: MemoryFilter, usual: str) -> str:
    """The index to go by: SQLite has no statistics to choose well."""
    return usual if where.session_id is None else "memory_turn"
