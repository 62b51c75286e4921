"""A transaction in the making."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from omoide.adapters.dynamodb.connection import Answer, TableConnection
from omoide.adapters.dynamodb.item_keys import Key
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.table import TABLE
from omoide.domain.errors import OmoideError

MAX_WRITES = 100
"""DynamoDB takes no more items in one transaction."""

MAX_BYTES = 3_500_000
"""DynamoDB takes 4 MiB; what frames the values needs some of it."""


class TooLargeError(OmoideError):
    """This does not fit into one transaction."""


class Writes:
    """Gathers what one transaction writes.

    What is written to an item twice becomes one write of its last state, on the condition of the
    first: that is the one about what is stored.

    Args:
        connection: Where it will be sent.
        table: Name of the table.
    """

    def __init__(self, connection: TableConnection, table: str) -> None:
        self._connection = connection
        self._table = table
        self.planned: dict[Key, Raw | None] = {}
        self._sets: dict[Key, Sequence[Action]] = {}
        self._adds: dict[Key, Counter[str]] = {}
        self._conditions: dict[Key, Condition] = {}

    def put(self, item: Raw, condition: Condition | None = None) -> None:
        """Write an item."""
        key = Key(item[TABLE.partition_key]["S"], item[TABLE.sort_key]["S"])
        self._require(key, condition)
        self.planned[key] = item

    def delete(self, key: Key, condition: Condition | None = None) -> None:
        """Delete an item, there or not."""
        self._require(key, condition)
        self.planned[key] = None

    def update(
        self,
        key: Key,
        sets: Sequence[Action],
        *,
        adds: Mapping[str, int] | None = None,
        condition: Condition | None = None,
    ) -> None:
        """Change attributes of an item that is neither put nor deleted, made when it is not there.

        Args:
            key: The item.
            sets: Changes; those of a later update take their place.
            adds: Numbers to add to attributes; those of later updates come on top.
            condition: On what is stored.
        """
        if condition is not None:
            self._conditions.setdefault(key, condition)
        self._sets[key] = sets
        self._adds.setdefault(key, Counter()).update(adds or {})

    def require_fit(self) -> None:
        """Refuse what does not fit into one transaction.

        Raises:
            TooLargeError: It does not fit.
        """
        if len(self.planned) + len(self._sets) > MAX_WRITES or self._bytes > MAX_BYTES:
            raise TooLargeError

    def send(self, token: str) -> Answer:
        """Apply all of it or nothing.

        Raises:
            TooLargeError: It does not fit; nothing was sent.
        """
        self.require_fit()
        return self._connection.transact_write_items(
            condition_check_items=[],
            delete_items=[self._request(k) for k, item in self.planned.items() if item is None],
            put_items=[self._request(k, item) for k, item in self.planned.items() if item],
            update_items=[self._update(key) for key in self._sets],
            client_request_token=token,
        )

    @property
    def _bytes(self) -> int:
        values = (value for item in self.planned.values() if item for value in item.values())
        return sum(len(text) for value in values for text in value.values() if _is_long(text))

    def _require(self, key: Key, condition: Condition | None) -> None:
        if condition is not None and key not in self.planned:
            self._conditions[key] = condition

    def _request(self, key: Key, item: Raw | None = None) -> Answer:
        return self._connection.get_operation_kwargs(
            self._table,
            key.pk,
            key.sk,
            key="Key" if item is None else "Item",
            attributes=item,
            condition=self._conditions.get(key),
        )

    def _update(self, key: Key) -> Answer:
        adds = [Path([name]).add(number) for name, number in self._adds[key].items()]
        return self._connection.get_operation_kwargs(
            self._table,
            key.pk,
            key.sk,
            actions=[*self._sets[key], *adds],
            condition=self._conditions.get(key),
        )


def _is_long(value: object) -> bool:
    return isinstance(value, (str, bytes))
