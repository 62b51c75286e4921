"""A transaction in the making."""

from collections.abc import Sequence

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from omoide.adapters.dynamodb.connection import Answer, TableConnection
from omoide.adapters.dynamodb.item_keys import Key
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.table import TABLE

MAX_WRITES = 100
"""DynamoDB takes no more in one transaction."""


class Writes:
    """Gathers what one transaction writes; each item at most once.

    Args:
        connection: Where it will be sent.
        table: Name of the table.
    """

    def __init__(self, connection: TableConnection, table: str) -> None:
        self._connection = connection
        self._table = table
        self._keys: set[Key] = set()
        self._puts: list[Answer] = []
        self._deletes: list[Answer] = []
        self._updates: list[Answer] = []

    def put(self, item: Raw, condition: Condition | None = None) -> None:
        """Write an item."""
        key = Key(item[TABLE.partition_key]["S"], item[TABLE.sort_key]["S"])
        self._claim(key)
        self._puts.append(
            self._connection.get_operation_kwargs(
                self._table, key.pk, key.sk, key="Item", attributes=item, condition=condition
            )
        )

    def delete(self, key: Key, condition: Condition | None = None) -> None:
        """Delete an item, there or not."""
        self._claim(key)
        self._deletes.append(
            self._connection.get_operation_kwargs(self._table, key.pk, key.sk, condition=condition)
        )

    def update(
        self, key: Key, actions: Sequence[Action], condition: Condition | None = None
    ) -> None:
        """Change attributes of an item, made when it is not there."""
        self._claim(key)
        self._updates.append(
            self._connection.get_operation_kwargs(
                self._table, key.pk, key.sk, actions=actions, condition=condition
            )
        )

    def send(self, token: str) -> Answer:
        """Apply all of it or nothing."""
        return self._connection.transact_write_items(
            condition_check_items=[],
            delete_items=self._deletes,
            put_items=self._puts,
            update_items=self._updates,
            client_request_token=token,
        )

    def _claim(self, key: Key) -> None:
        if key in self._keys or len(self._keys) == MAX_WRITES:
            raise ValueError(f"a transaction writes {MAX_WRITES} different items at most")
        self._keys.add(key)
