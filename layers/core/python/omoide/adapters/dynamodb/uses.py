"""Access counters in DynamoDB."""

import hashlib
from collections.abc import Sequence

from omoide.adapters.dynamodb.item_keys import memory_key, use_key
from omoide.adapters.dynamodb.items import UseItem
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.domain.access import count_access, session_hour
from omoide.domain.memory import Use
from omoide.ports.use_log import Accessed

_KEPT_HOURS = 2


class DynamoUseLog:
    """Implements `UseLog`; counts at once.

    Args:
        table: The table.
    """

    def __init__(self, table: TableCalls) -> None:
        self._table = table

    def record(self, accessed: Accessed) -> None:
        """Count one access per live memory and session-hour; again is harmless.

        Raises:
            UnavailableError: Some may not be counted.
        """
        keys = {memory_key(accessed.namespace, i): i for i in accessed.memory_ids}
        found = self._table.get_many(keys, ("hidden",))
        for key, memory_id in keys.items():
            if key in found and "hidden" not in found[key]:
                self._table.decide(lambda i=memory_id: self._count(accessed, i))

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """The counters of those that were ever used."""
        found = self._table.get_many(use_key(namespace, i) for i in memory_ids)
        uses = [_read(raw) for raw in found.values()]
        return {use.memory_id: use for use in uses}

    def flush(self) -> None:
        """Nothing waits to be counted."""

    def _count(self, accessed: Accessed, memory_id: str) -> None:
        key = use_key(accessed.namespace, memory_id)
        raw = self._table.get(key)
        hour = session_hour(accessed.at)
        kept = set[str]() if raw is None else _session_hours(raw)
        counted = f"{hour}#{_digest(accessed.session)}"
        if counted in kept:
            return
        use = count_access(None if raw is None else _read(raw), memory_id, accessed.at)
        latest = session_hour(use.accessed_at)
        recent = {one for one in {*kept, counted} if int(one.split("#")[0]) >= latest - _KEPT_HOURS}
        writes = 0 if raw is None else int(raw["writes"]["N"])
        item = UseItem(
            pk=key.pk,
            sk=key.sk,
            memory_id=memory_id,
            accessed_at=use.accessed_at,
            access_count=use.access_count,
            access_count_7d=use.access_count_7d,
            access_count_30d=use.access_count_30d,
            feedback=use.feedback,
            last_access_utility=use.last_access_utility,
            session_hours=recent or None,
            writes=writes + 1,
        )
        is_same = UseItem.pk.does_not_exist() if raw is None else UseItem.writes == writes
        self._table.put(item.serialize(), condition=is_same)


def _read(raw: Raw) -> Use:
    require_readable(raw)
    item = UseItem.from_raw_data(raw)
    return Use(
        memory_id=item.memory_id,
        accessed_at=item.accessed_at,
        access_count=item.access_count,
        access_count_7d=item.access_count_7d,
        access_count_30d=item.access_count_30d,
        feedback=item.feedback,
        last_access_utility=item.last_access_utility,
    )


def _session_hours(raw: Raw) -> set[str]:
    return set(raw.get("session_hours", {}).get("SS", ()))


def _digest(session: str) -> str:
    """A session in 16 characters, so that many fit into an item."""
    return hashlib.sha256(session.encode()).hexdigest()[:16]
