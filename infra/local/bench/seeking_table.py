"""The emulator with a Query that seeks, for measuring; run by the emulator's own Python.

As released it sorts and looks at every item of a partition to answer a Query, where DynamoDB seeks
in the order of the sort key: a namespace of 10,000 memories would be measured by that alone. Here
the items of the asked range are picked first, by bisection; everything else is the emulator's.
"""

import importlib
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Mapping
from typing import Any

_SERVICE = "ministack.services.dynamodb"
_PROGRAM = "ministack.app"
_MARGIN = 2
"""More items than the limit are picked, so that the emulator sees whether there are others."""

Item = dict[str, Any]
Table = dict[str, Any]


class SortedKeys:
    """The sort keys of partitions, in order: read once, then kept up with every write."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, str], list[str]] = {}

    def of(self, name: str, partition: str, bucket: Mapping[str, Item]) -> list[str]:
        """The keys of a partition.

        Args:
            name: Of the table.
            partition: Value of the partition key.
            bucket: Its items by sort key.
        """
        if (name, partition) not in self._keys:
            self._keys[name, partition] = sorted(bucket)
        return self._keys[name, partition]

    def added(self, name: str, partition: str, key: str) -> None:
        """An item is new."""
        keys = self._keys.get((name, partition))
        if keys is not None:
            insort(keys, key)

    def removed(self, name: str, partition: str, key: str) -> None:
        """An item is gone."""
        keys = self._keys.get((name, partition))
        if keys is not None:
            del keys[bisect_left(keys, key)]


class _OneTable:
    """Stands for the emulator's tables while one query is answered."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, name: str, default: object = None) -> Table:
        """The only one there is."""
        return self._table


def picked(request: Mapping[str, Any], keys: list[str]) -> list[str]:
    """The sort keys that a query may return, in their order; all when it is not understood.

    Args:
        request: The query; a range is ``BETWEEN`` two of its values.
        keys: The sort keys of its partition, ascending.
    """
    condition = str(request.get("KeyConditionExpression", ""))
    _, between, bounds = condition.partition(" BETWEEN ")
    if not between:
        return keys
    names = bounds.replace("(", " ").replace(")", " ").split()
    values = request["ExpressionAttributeValues"]
    first = bisect_left(keys, values[names[0]]["S"])
    last = bisect_right(keys, values[names[2]]["S"])
    after = request.get("ExclusiveStartKey", {}).get("sk", {}).get("S")
    is_forward = request.get("ScanIndexForward", True)
    if after is not None and is_forward:
        first = max(first, bisect_left(keys, after))
    elif after is not None:
        last = min(last, bisect_right(keys, after))
    most = int(request.get("Limit", last)) + _MARGIN
    if is_forward:
        return keys[first : min(last, first + most)]
    return keys[max(first, last - most) : last]


def seeking(service: Any, known: SortedKeys) -> Callable[[dict[str, Any]], object]:  # noqa: ANN401
    """The query of the service, given a table that holds only what it may return."""
    answer: Callable[[dict[str, Any]], object] = service._query
    tables: Any = service._tables

    def query(request: dict[str, Any]) -> object:
        name = str(request.get("TableName"))
        table: Table | None = tables.get(name)
        partitions = [value["S"] for value in request.get("ExpressionAttributeValues", {}).values()]
        found = [p for p in partitions if table is not None and p in table["items"]]
        if table is None or request.get("IndexName") or not found:
            return answer(request)
        bucket: dict[str, Item] = table["items"][found[0]]
        keys = picked(request, known.of(name, found[0], bucket))
        narrowed = {**table, "items": {found[0]: {key: bucket[key] for key in keys}}}
        service._tables = _OneTable(narrowed)
        try:
            return answer(request)
        finally:
            service._tables = tables

    return query


def mend(service: Any) -> None:  # noqa: ANN401 - a module that is not installed here
    """Replace the query of the emulator's service."""
    known = SortedKeys()
    put: Callable[[Table, str, str, Item], object] = service._set_item
    remove: Callable[[Table, str, str], object] = service._remove_item

    def set_item(table: Table, partition: str, key: str, item: Item) -> object:
        former = put(table, partition, key, item)
        if former is None:
            known.added(table["TableName"], partition, key)
        return former

    def remove_item(table: Table, partition: str, key: str) -> object:
        former = remove(table, partition, key)
        if former is not None:
            known.removed(table["TableName"], partition, key)
        return former

    service._query = seeking(service, known)
    service._set_item, service._remove_item = set_item, remove_item


def main() -> None:
    """Start the emulator."""
    mend(importlib.import_module(_SERVICE))
    importlib.import_module(_PROGRAM).main()


if __name__ == "__main__":
    main()
