"""What a deletion leaves for after its transaction, however many items it is."""

from omoide.adapters.dynamodb.item_keys import history_of, use_key
from omoide.adapters.dynamodb.table_calls import TableCalls, key_of


def erase_leftovers(table: TableCalls, namespace: str, memory_id: str) -> None:
    """Erase the history and counters of a deleted memory; again is harmless.

    Raises:
        UnavailableError: Some may be left.
    """
    history = table.query_all(history_of(namespace, memory_id), only=["pk", "sk"])
    table.delete_many([*map(key_of, history), use_key(namespace, memory_id)])
