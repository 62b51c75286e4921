"""Records in DynamoDB."""

from collections.abc import Collection, Sequence

from omoide.adapters.dynamodb.commits import Commit, require_writable
from omoide.adapters.dynamodb.faults import RefusedError
from omoide.adapters.dynamodb.filter_conditions import shown_where
from omoide.adapters.dynamodb.item_keys import (
    MEMORY,
    Key,
    KeyRange,
    counted_of,
    fingerprint_key,
    history_of,
    locator_key,
    memories_of,
    memory_key,
    namespace_key,
    operation_key,
    scoring_key,
    turns_above,
    turns_below,
)
from omoide.adapters.dynamodb.leftovers import erase_leftovers
from omoide.adapters.dynamodb.memory_items import Raw, read_memory
from omoide.adapters.dynamodb.operations import is_free, read_operation, write_operation
from omoide.adapters.dynamodb.overlay import Overlay
from omoide.adapters.dynamodb.stored_state import read_state
from omoide.adapters.dynamodb.table_calls import ATTEMPTS, TableCalls, key_of
from omoide.adapters.dynamodb.writes import MAX_WRITES, TooLargeError
from omoide.domain.errors import (
    NotFoundError,
    OperationTakenError,
    UnavailableError,
    VersionConflictError,
)
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData
from omoide.engine.codec import decode
from omoide.ports.clock import Clock, Entropy
from omoide.ports.memory_records import MemoryChange, MemoryPage, Operation, PagePosition

_TOKEN_BYTES = 16
_LEAST_WRITES = 4
_TOO_MANY = "these changes do not fit into one transaction"
_MAX_LOOKED_AT = 1_000


class DynamoMemoryRecords:
    """Implements `MemoryRecords` and `WriteLookups`.

    Lists go by the sort key: ids are UUIDs of version 7 made of ``created_at``, so their order
    is that of creation.

    Args:
        table: The table.
        clock: Decides whether a recorded operation has expired.
        entropy: Where the tokens of transactions come from.
    """

    def __init__(self, table: TableCalls, clock: Clock, entropy: Entropy) -> None:
        self._table = table
        self._clock = clock
        self._entropy = entropy

    def commit(self, change: MemoryChange) -> None:
        """Apply a change atomically."""
        self.commit_all([change])

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        """Apply changes in one transaction, if it holds them: about ten new memories.

        Raises:
            VersionConflictError: They do not fit; nothing was written, commit them one by one.
        """
        if any(c.memory.deleted_at is None and c.scoring is None for c in changes):
            raise ValueError("a memory that is not deleted needs scoring data")
        if len(changes) > MAX_WRITES // _LEAST_WRITES:
            raise VersionConflictError(_TOO_MANY)
        try:
            self._table.decide(lambda: self._try_commit(changes))
        except TooLargeError as error:
            raise VersionConflictError(_TOO_MANY) from error
        for change in changes:
            if change.memory.deleted_at is not None:
                self._erase_soon(change.memory)

    def record_operation(self, operation: Operation) -> None:
        """Record the outcome of a call that changed no memory."""
        self._table.decide(lambda: self._try_record(operation))

    def get(self, memory_id: str) -> Memory:
        """Return a memory of whichever namespace."""
        raw = self._find(memory_id)
        if raw is None or "hidden" in raw:
            raise NotFoundError
        return read_memory(raw)

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Memory]:
        """Return those of the ids that are live in the namespace."""
        found = self._table.get_many(memory_key(namespace, i) for i in memory_ids)
        memories = [read_memory(raw) for raw in found.values() if "hidden" not in raw]
        return {memory.id: memory for memory in memories}

    def page(
        self, namespace: str, where: MemoryFilter, after: PagePosition | None, limit: int
    ) -> MemoryPage:
        """Return the next memories that satisfy the filter, newest first."""
        found: list[Raw] = []
        start = None if after is None else memory_key(namespace, after.memory_id)
        looked_at = limit + 1
        while True:
            page = self._table.query(
                memories_of(namespace),
                limit=looked_at,
                is_descending=True,
                where=shown_where(where),
                after=start,
            )
            found += page.items
            if len(found) > limit or page.last_key is None:
                break
            start, looked_at = key_of(page.last_key), min(2 * looked_at, _MAX_LOOKED_AT)
        memories = tuple(read_memory(raw) for raw in found[:limit])
        if len(found) <= limit:
            return MemoryPage(memories=memories, next_position=None)
        last = memories[-1]
        position = PagePosition(created_at=last.created_at, memory_id=last.id)
        return MemoryPage(memories=memories, next_position=position)

    def count(self, namespace: str, where: MemoryFilter | None = None) -> int:
        """Number of live memories."""
        if where is None:
            return self._table.decide(lambda: self._try_count(namespace))
        return self._count(namespace, where)

    def history(self, memory_id: str) -> tuple[Memory, ...]:
        """Every earlier version, oldest first."""
        raw = self._find(memory_id)
        if raw is None or "deleted_at" in raw:
            return ()
        namespace = read_memory(raw).namespace
        return tuple(map(read_memory, self._table.query_all(history_of(namespace, memory_id))))

    def find_fingerprint(self, namespace: str, fingerprint: str) -> str | None:
        """Id of the live memory that holds the fingerprint."""
        raw = self._table.get(fingerprint_key(namespace, fingerprint))
        return None if raw is None else raw["memory_id"]["S"]

    def find_operation(self, principal: str, name: str, key: str) -> Operation | None:
        """The recorded operation, also when expired."""
        raw = self._table.get(operation_key(principal, name, key))
        return None if raw is None else read_operation(raw)

    def find_scoring(self, memory_id: str, revision: str | None = None) -> ScoringData | None:
        """The stored scoring data of a live memory under a model revision; None is whichever."""
        namespace = self._locate(memory_id)
        if namespace is not None and revision is None:
            record = self._table.get(memory_key(namespace, memory_id)) or {}
            revision = record.get("scoring_revision", {}).get("S")
        if namespace is None or revision is None:
            return None
        raw = self._table.get(scoring_key(namespace, memory_id, revision))
        if raw is None:
            return None
        return decode(bytes(raw["data"]["B"]), memory_id=memory_id, namespace=namespace)

    def previous_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the greatest turn below, of equal turns the greatest id."""
        turns = turns_below(namespace, session_id, turn)
        return self._turn(session_id, turns, without, is_descending=True)

    def next_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the smallest turn above, of equal turns the smallest id."""
        turns = turns_above(namespace, session_id, turn)
        return self._turn(session_id, turns, without, is_descending=False)

    def last_turn(self, namespace: str, session_id: str) -> int | None:
        """The greatest turn of the session."""
        turns = turns_above(namespace, session_id, -1)
        found = self._first(turns, (), is_descending=True)
        return None if found is None else int(found["turn"]["N"])

    def _try_commit(self, changes: Sequence[MemoryChange]) -> None:
        now = self._clock.now()
        token = self._entropy.bytes(_TOKEN_BYTES).hex()
        writes = self._table.writes()
        overlay = Overlay(self._table, writes)
        for change in changes:
            state = read_state(overlay, change)
            require_writable(change, state, now)
            Commit(change=change, state=state, now=now, token=token).fill(writes)
            writes.require_fit()
        if changes:
            self._table.commit(writes, token)

    def _try_record(self, operation: Operation) -> None:
        now = self._clock.now()
        earlier = self.find_operation(operation.principal, operation.name, operation.key)
        if earlier is not None and earlier.expires_at > now:
            raise OperationTakenError
        self._table.put(write_operation(operation), condition=is_free(now))

    def _erase_soon(self, memory: Memory) -> None:
        """Erase what a tombstone leaves; what fails here is erased when the index has taken it."""
        try:
            erase_leftovers(self._table, memory.namespace, memory.id)
        except UnavailableError:
            return

    def _locate(self, memory_id: str) -> str | None:
        raw = self._table.get(locator_key(memory_id))
        return None if raw is None else raw["namespace"]["S"]

    def _find(self, memory_id: str) -> Raw | None:
        namespace = self._locate(memory_id)
        return None if namespace is None else self._table.get(memory_key(namespace, memory_id))

    def _turn(
        self, session_id: str, turns: KeyRange, without: Collection[str], *, is_descending: bool
    ) -> Memory | None:
        for _ in range(ATTEMPTS):
            place = self._first(turns, without, is_descending=is_descending)
            if place is None:
                return None
            raw = self._table.get(Key(turns.pk, MEMORY + place["memory_id"]["S"]))
            if raw is not None and _is_at(raw, session_id, int(place["turn"]["N"])):
                return read_memory(raw)
        raise UnavailableError("the session keeps changing; try again")

    def _first(
        self, turns: KeyRange, without: Collection[str], *, is_descending: bool
    ) -> Raw | None:
        """The first place of a range that is of none of the memories ``without``."""
        page = self._table.query(turns, limit=1 + len(without), is_descending=is_descending)
        others = (raw for raw in page.items if raw["memory_id"]["S"] not in without)
        return next(others, None)

    def _count(self, namespace: str, where: MemoryFilter) -> int:
        total, after = 0, None
        while True:
            page = self._table.query(
                memories_of(namespace), where=shown_where(where), after=after, counts_only=True
            )
            total += page.count
            if page.last_key is None:
                return total
            after = key_of(page.last_key)

    def _try_count(self, namespace: str) -> int:
        """Counter and pending changes, unless some of these moved into it in the meantime."""
        key = namespace_key(namespace)
        items = self._table.query_all(
            counted_of(namespace), only=["sk", "live", "clears", "count_delta"]
        )
        clears, live = _counter(next((i for i in items if i["sk"]["S"] == key.sk), None))
        if _counter(self._table.get(key))[0] != clears:
            raise RefusedError
        return live + sum(int(i["count_delta"]["N"]) for i in items if "count_delta" in i)


def _counter(raw: Raw | None) -> tuple[int, int]:
    return (0, 0) if raw is None else (int(raw["clears"]["N"]), int(raw["live"]["N"]))


def _is_at(raw: Raw, session_id: str, turn: int) -> bool:
    """Whether the record is still shown at the place it was found by."""
    if "hidden" in raw or "turn" not in raw:
        return False
    return raw["session_id"]["S"] == session_id and int(raw["turn"]["N"]) == turn
