"""The table as it will be once a transaction in the making is applied."""

from collections.abc import Iterable

from omoide.adapters.dynamodb.item_keys import Key, KeyRange
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.adapters.dynamodb.writes import Writes


class Overlay:
    """Reads for a change what is stored, and what the changes before it will write.

    Args:
        table: The table.
        writes: What will be written.
    """

    def __init__(self, table: TableCalls, writes: Writes) -> None:
        self._table = table
        self._writes = writes

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Raw]:
        """Those of the items that will exist. What is but added to is told as it is stored."""
        planned = self._writes.planned
        wanted = list(keys)
        found = self._table.get_many(key for key in wanted if key not in planned)
        for key in wanted:
            item = planned.get(key)
            if item is not None:
                found[key] = item
        return found

    def first(self, keys: KeyRange, count: int, *, is_descending: bool) -> list[Raw]:
        """The first ``count`` items of a range."""
        touched = {
            key.sk: item
            for key, item in self._writes.planned.items()
            if key.pk == keys.pk and keys.low <= key.sk <= keys.high
        }
        page = self._table.query(keys, limit=count + len(touched), is_descending=is_descending)
        stored = {raw["sk"]["S"]: raw for raw in page.items}
        found = {sk: item for sk, item in (stored | touched).items() if item is not None}
        return [found[sk] for sk in sorted(found, reverse=is_descending)[:count]]
