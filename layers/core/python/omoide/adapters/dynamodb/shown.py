"""What sessions were shown, in DynamoDB: the memories of a session in one item."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from omoide.adapters.dynamodb.item_keys import shown_key
from omoide.adapters.dynamodb.items import ShownItem
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.ports.shown_memories import SHOWN_LIFE

_ID_BYTES = 16
_MOST_IDS = 8_192
"""So many of the latest are kept: 128 KiB of an item's 400."""


class DynamoShownMemories:
    """Implements `ShownMemories`.

    Args:
        table: The table.
    """

    def __init__(self, table: TableCalls) -> None:
        self._table = table

    def among(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Those of some memories that the session was shown.

        Raises:
            UnavailableError: The table cannot be reached.
        """
        shown = _shown(self._table.get(shown_key(namespace, session)), at)
        return frozenset(shown) & frozenset(memory_ids)

    def claim(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Mark memories as shown; returns those that nobody had claimed before.

        Raises:
            UnavailableError: The table cannot be reached or keeps being written.
        """
        return self._table.decide(lambda: self._claim(namespace, session, memory_ids, at))

    def _claim(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        key = shown_key(namespace, session)
        raw = self._table.get(key)
        shown = _shown(raw, at)
        known = set(shown)
        claimed = [one for one in dict.fromkeys(memory_ids) if one not in known]
        if not claimed:
            return frozenset()
        kept = [*shown, *claimed][-_MOST_IDS:]
        writes = 0 if raw is None else int(raw["writes"]["N"])
        is_same = ShownItem.pk.does_not_exist() if raw is None else ShownItem.writes == writes
        item = ShownItem(
            pk=key.pk,
            sk=key.sk,
            shown=b"".join(UUID(one).bytes for one in kept),
            writes=writes + 1,
            ttl=int((at + SHOWN_LIFE).timestamp()),
        )
        self._table.put(item.serialize(), condition=is_same)
        return frozenset(claimed)


def _shown(raw: Raw | None, at: datetime) -> list[str]:
    """The memories of an item, the earliest first; one that DynamoDB is late to drop has none."""
    if raw is None:
        return []
    require_readable(raw)
    if int(raw["ttl"]["N"]) <= at.timestamp():
        return []
    ids = bytes(raw["shown"]["B"])
    return [
        str(UUID(bytes=ids[start : start + _ID_BYTES])) for start in range(0, len(ids), _ID_BYTES)
    ]
