"""PynamoDB's low-level connection to one table, with the types it leaves open."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

from pynamodb.connection.base import Connection, MetaTable
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from omoide.adapters.dynamodb.table import TABLE

CONNECT_TIMEOUT_S = 2.0
READ_TIMEOUT_S = 5.0

Answer = dict[str, Any]


class TableConnection(Protocol):
    """What of `pynamodb.connection.Connection` is used. All methods raise its exceptions."""

    def get_item(
        self, table_name: str, hash_key: str, range_key: str, *, consistent_read: bool
    ) -> Answer:
        """Read one item."""
        ...

    def batch_get_item(
        self,
        table_name: str,
        keys: Sequence[Any],
        *,
        consistent_read: bool,
        attributes_to_get: Sequence[str] | None,
    ) -> Answer:
        """Read at most 100 items."""
        ...

    def query(
        self,
        table_name: str,
        hash_key: str,
        *,
        range_key_condition: Condition,
        filter_condition: Condition | None = None,
        attributes_to_get: Sequence[str] | None = None,
        consistent_read: bool = False,
        exclusive_start_key: Any = None,  # noqa: ANN401 - an item's key
        index_name: str | None = None,
        limit: int | None = None,
        scan_index_forward: bool | None = None,
        select: str | None = None,
    ) -> Answer:
        """Read a page of a range."""
        ...

    def scan(
        self,
        table_name: str,
        *,
        filter_condition: Condition,
        limit: int,
        exclusive_start_key: Any,  # noqa: ANN401 - an item's key
        consistent_read: bool,
    ) -> Answer:
        """Read a page of the table."""
        ...

    def put_item(
        self,
        table_name: str,
        hash_key: str,
        range_key: str,
        *,
        attributes: Any,  # noqa: ANN401 - an item
        condition: Condition | None,
    ) -> Answer:
        """Write one item."""
        ...

    def update_item(
        self,
        table_name: str,
        hash_key: str,
        range_key: str,
        *,
        actions: Sequence[Action],
        condition: Condition | None,
    ) -> Answer:
        """Change one item."""
        ...

    def delete_item(self, table_name: str, hash_key: str, range_key: str) -> Answer:
        """Delete one item."""
        ...

    def get_operation_kwargs(
        self,
        table_name: str,
        hash_key: str,
        range_key: str,
        *,
        key: str = "Key",
        attributes: Any = None,  # noqa: ANN401 - an item
        actions: Sequence[Action] | None = None,
        condition: Condition | None = None,
    ) -> Answer:
        """One write of a transaction."""
        ...

    def transact_write_items(
        self,
        *,
        condition_check_items: Sequence[Answer],
        delete_items: Sequence[Answer],
        put_items: Sequence[Answer],
        update_items: Sequence[Answer],
        client_request_token: str,
    ) -> Answer:
        """Apply a transaction."""
        ...


def connect(
    table: str, *, region: str | None = None, endpoint_url: str | None = None
) -> TableConnection:
    """A connection for one table; nothing is asked of AWS yet.

    Args:
        table: Name of the table.
        region: None takes the one of the environment.
        endpoint_url: None takes AWS's, or the one of the environment.
    """
    connection = Connection(
        region=region,
        host=endpoint_url,
        connect_timeout_seconds=CONNECT_TIMEOUT_S,
        read_timeout_seconds=READ_TIMEOUT_S,
        max_retry_attempts=0,
    )
    connection.add_meta_table(MetaTable(TABLE.creation(table)))
    return cast("TableConnection", connection)
