"""Reading the scoring data in DynamoDB that an index holds a copy of."""

import json
from collections.abc import Sequence

from omoide.adapters.dynamodb.item_keys import (
    memories_of,
    memory_id_of,
    memory_key,
    namespace_of,
    scoring_key,
)
from omoide.adapters.dynamodb.items import MemoryItem, ScoringItem
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.adapters.dynamodb.table import TABLE
from omoide.adapters.dynamodb.table_calls import TableCalls, key_of
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.scoring_source import EntryPage, IndexEntry

_STATE = ("id", "version", "index_version", "hidden", "schema")
_KEYS = (TABLE.partition_key, TABLE.sort_key)
_MAX_LOOKED_AT = 1_000


class DynamoScoringSource:
    """Implements `ScoringSource`.

    Args:
        table: The table.
        revision: Revision of the embedding model whose scoring data are read.
    """

    def __init__(self, table: TableCalls, revision: str) -> None:
        self._table = table
        self._revision = revision

    def read(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """One entry per memory, as the record is now."""
        keys = [memory_key(memory.namespace, memory.memory_id) for memory in memories]
        records = self._table.get_many(keys, _STATE)
        scorings = self._scorings(memories)
        return [
            _entry(memory, records.get(key), scorings.get(memory))
            for memory, key in zip(memories, keys, strict=True)
        ]

    def read_live(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """The same for memories that `newest` has just told: reads the scoring data alone."""
        scorings = self._scorings(memories)
        return [_entry(m, scorings.get(m), scorings.get(m)) for m in memories]

    def newest(
        self, namespace: str, limit: int, before: MemoryRef | None = None
    ) -> list[MemoryRef]:
        """The newest ``limit`` live memories of a namespace, oldest first."""
        found: list[MemoryRef] = []
        after = None if before is None else memory_key(before.namespace, before.memory_id)
        while len(found) < limit:
            page = self._table.query(
                memories_of(namespace),
                limit=min(_MAX_LOOKED_AT, 2 * (limit - len(found))),
                is_descending=True,
                where=MemoryItem.hidden.does_not_exist(),
                after=after,
                only=_KEYS,
            )
            found += map(_memory, page.items)
            if page.last_key is None:
                break
            after = key_of(page.last_key)
        return found[:limit][::-1]

    def page(self, position: str | None, limit: int) -> EntryPage:
        """The next entries; scans the table, for work that nobody waits for."""
        after = None if position is None else _raw_key(position)
        page = self._table.scan(ScoringItem.revision == self._revision, after, limit)
        return EntryPage(
            entries=tuple(_entry(_memory(raw), raw, raw) for raw in page.items),
            position=None if page.last_key is None else json.dumps(key_of(page.last_key)),
        )

    def _scorings(self, memories: Sequence[MemoryRef]) -> dict[MemoryRef, Raw]:
        keys = (scoring_key(m.namespace, m.memory_id, self._revision) for m in memories)
        return {_memory(raw): raw for raw in self._table.get_many(keys).values()}


def _raw_key(position: str) -> Raw:
    pk, sk = json.loads(position)
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def _memory(raw: Raw) -> MemoryRef:
    return MemoryRef(namespace=namespace_of(raw["pk"]["S"]), memory_id=memory_id_of(raw["sk"]["S"]))


def _entry(memory: MemoryRef, record: Raw | None, scoring: Raw | None) -> IndexEntry:
    """The entry of a record whose scoring data were read after it: they tell what is newer."""
    if record is None:
        return IndexEntry(memory=memory, version=0, index_version=0, scoring=None)
    has_scoring = scoring is not None and "hidden" not in record
    told = scoring if scoring is not None and has_scoring else record
    require_readable(told)
    return IndexEntry(
        memory=memory,
        version=int(told["version"]["N"]),
        index_version=int(told["index_version"]["N"]),
        scoring=bytes(told["data"]["B"]) if has_scoring else None,
    )
