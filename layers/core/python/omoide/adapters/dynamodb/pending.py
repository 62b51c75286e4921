"""Pending writes in DynamoDB: noted by every commit, moved into the counter when indexed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from omoide.adapters.dynamodb.attributes import TimeAttribute
from omoide.adapters.dynamodb.commits import PENDING_KIND
from omoide.adapters.dynamodb.faults import RefusedError
from omoide.adapters.dynamodb.item_keys import (
    Key,
    due_partition,
    memory_id_of,
    namespace_key,
    namespace_of,
    pending_key,
    pending_of,
)
from omoide.adapters.dynamodb.items import NamespaceItem, PendingItem
from omoide.adapters.dynamodb.leftovers import erase_leftovers
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.adapters.dynamodb.table import DUE_SHARDS, TABLE
from omoide.adapters.dynamodb.table_calls import TableCalls, key_of
from omoide.adapters.dynamodb.writes import MAX_WRITES, Writes
from omoide.domain.memory import SCHEMA_VERSION
from omoide.ports.clock import Entropy
from omoide.ports.pending_writes import MemoryRef, PendingList, PendingWrite

_TOKEN_BYTES = 16
_LOOKED_AT = 20


class DynamoPendingWrites:
    """Implements `PendingWrites`.

    Args:
        table: The table.
        entropy: Where the tokens of transactions come from.
    """

    def __init__(self, table: TableCalls, entropy: Entropy) -> None:
        self._table = table
        self._entropy = entropy

    def of_namespace(self, namespace: str, limit: int) -> PendingList:
        """The newest ``limit`` pending writes of a namespace.

        Where more than twenty times as many are pending, the newest among those of the memories
        that were created last.
        """
        found: list[Raw] = []
        after: Key | None = None
        most = limit * _LOOKED_AT + 1
        while len(found) < most:
            page = self._table.query(
                pending_of(namespace), limit=most - len(found), is_descending=True, after=after
            )
            found += page.items
            if page.last_key is None:
                break
            after = key_of(page.last_key)
        newest = sorted(map(_pending, found), key=_age)[::-1]
        return PendingList(
            writes=tuple(newest[:limit]),
            is_complete=len(newest) <= limit,
            is_newest=len(newest) < most,
        )

    def find(self, memories: Sequence[MemoryRef]) -> list[PendingWrite]:
        """The pending writes of those of the memories that have one."""
        return list(map(_pending, self._read(memories)))

    def overdue(self, before: datetime, limit: int) -> list[PendingWrite]:
        """Pending writes of all namespaces written before an instant, oldest first."""
        instant = TimeAttribute().serialize(before)
        partitions = (due_partition(PENDING_KIND, shard) for shard in range(DUE_SHARDS))
        told = [raw for one in partitions for raw in self._table.query_due(one, instant, limit)]
        oldest = sorted(told, key=lambda raw: raw[TABLE.due_index.sort_key]["S"])[:limit]
        found = self._table.get_many(map(key_of, oldest)).values()
        due = [_pending(raw) for raw in found if TABLE.due_index.partition_key in raw]
        return sorted((one for one in due if one.written_at < before), key=_age)

    def clear(self, writes: Sequence[PendingWrite]) -> None:
        """Forget those whose token is still the same: the index has taken them."""
        tokens = {one.memory: one.token for one in writes}
        by_namespace: dict[str, list[Raw]] = defaultdict(list)
        for raw in self._read(tokens):
            memory = _pending(raw).memory
            if raw["token"]["S"] == tokens[memory]:
                by_namespace[memory.namespace].append(raw)
        for namespace, items in by_namespace.items():
            for item in items:
                self._erase_deleted(item)
            for start in range(0, len(items), MAX_WRITES - 1):
                self._clear_together(namespace, items[start : start + MAX_WRITES - 1])

    def set_aside(self, writes: Sequence[PendingWrite]) -> None:
        """Let those whose token is still the same be overdue no more; they stay pending."""
        for one in writes:
            transaction = self._table.writes()
            transaction.update(
                pending_key(one.memory.namespace, one.memory.memory_id),
                [PendingItem.due_pk.remove(), PendingItem.due_sk.remove()],
                condition=PendingItem.token == one.token,
            )
            self._commit_if_same(transaction)

    def _read(self, memories: Iterable[MemoryRef]) -> list[Raw]:
        keys = (pending_key(memory.namespace, memory.memory_id) for memory in memories)
        return list(self._table.get_many(keys).values())

    def _erase_deleted(self, item: Raw) -> None:
        if item["is_deletion"]["BOOL"]:
            memory = _pending(item).memory
            erase_leftovers(self._table, memory.namespace, memory.memory_id)

    def _clear_together(self, namespace: str, items: Sequence[Raw]) -> None:
        """Clear in one transaction; when another write came between, one by one."""
        if self._try_clear(namespace, items) or len(items) == 1:
            return
        for item in items:
            self._try_clear(namespace, [item])

    def _try_clear(self, namespace: str, items: Sequence[Raw]) -> bool:
        writes = self._table.writes()
        for raw in items:
            pending = _pending(raw)
            key = pending_key(namespace, pending.memory.memory_id)
            writes.delete(key, PendingItem.token == pending.token)
        writes.update(
            namespace_key(namespace),
            [NamespaceItem.schema.set(SCHEMA_VERSION)],
            adds={"live": sum(int(raw["count_delta"]["N"]) for raw in items), "clears": 1},
        )
        return self._commit_if_same(writes)

    def _commit_if_same(self, writes: Writes) -> bool:
        try:
            self._table.commit(writes, self._entropy.bytes(_TOKEN_BYTES).hex())
        except RefusedError:
            return False
        return True


def _pending(raw: Raw) -> PendingWrite:
    """One item; a search reads hundreds, so its attributes are read directly."""
    require_readable(raw)
    return PendingWrite(
        memory=MemoryRef(
            namespace=namespace_of(raw["pk"]["S"]), memory_id=memory_id_of(raw["sk"]["S"])
        ),
        version=int(raw["version"]["N"]),
        token=raw["token"]["S"],
        written_at=datetime.fromisoformat(raw["written_at"]["S"]),
    )


def _age(pending: PendingWrite) -> tuple[datetime, str]:
    return pending.written_at, pending.memory.memory_id
