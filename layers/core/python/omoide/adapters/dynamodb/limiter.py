"""A rate limiter in DynamoDB: the requests of the last minute of a subject in one item.

Times are kept in slots of 50 ms, rounded up, so that a request never counts for less than a
minute and an item stays small however many requests there are.
"""

import math
import struct
from collections import Counter
from datetime import UTC, datetime, timedelta

from omoide.adapters.dynamodb.item_keys import Key, rate_key
from omoide.adapters.dynamodb.items import RateItem
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.domain.errors import RateLimitedError
from omoide.domain.memory import SCHEMA_VERSION
from omoide.ports.clock import Clock
from omoide.ports.rate_limiter import RequestKind

SLOT = timedelta(milliseconds=50)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WINDOW = timedelta(minutes=1)
_WINDOW_SLOTS = _WINDOW // SLOT
_PAIR = struct.Struct("<QI")
"""Number of a slot since 1970, and how many requests were in it."""

_KEPT_S = 120
_MOST_KNOWN = 1_000


class DynamoRateLimiter:
    """Implements `RateLimiter`.

    Args:
        table: The table.
        clock: The time of day.
    """

    def __init__(self, table: TableCalls, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._known: dict[Key, tuple[datetime, Raw]] = {}

    def check(self, subject: str, kind: RequestKind, limit: int) -> None:
        """Count one request.

        Raises:
            RateLimitedError: More than ``limit`` requests in the last minute; not counted.
            UnavailableError: The table cannot be reached or keeps being written.
        """
        self._table.decide(lambda: self._count(subject, kind, limit))

    def _count(self, subject: str, kind: RequestKind, limit: int) -> None:
        key = rate_key(kind, subject)
        now = self._clock.now()
        raw = self._last_written(key, now) or self._table.get(key)
        hits = _hits_around(raw, now)
        count = hits.total()
        if count >= limit:
            raise RateLimitedError(
                f"{limit} {kind} requests a minute are allowed",
                retry_after_s=_wait_s(hits, now, limit),
                count=count,
            )
        hits[_slot(now)] += 1
        writes = 0 if raw is None else int(raw["writes"]["N"])
        is_same = RateItem.pk.does_not_exist() if raw is None else RateItem.writes == writes
        packed = b"".join(_PAIR.pack(*pair) for pair in sorted(hits.items()))
        self._table.update(
            key,
            [
                RateItem.hits.set(packed),
                RateItem.writes.set(writes + 1),
                RateItem.ttl.set(int(now.timestamp()) + _KEPT_S),
                RateItem.schema.set(SCHEMA_VERSION),
            ],
            condition=is_same,
        )
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = now, {"hits": {"B": packed}, "writes": {"N": str(writes + 1)}}

    def _last_written(self, key: Key, now: datetime) -> Raw | None:
        """The item as this process wrote it last.

        Where another process wrote in between, the condition of the update does not hold and the
        item is read. Older than a minute it could have expired and begun to count anew.
        """
        at, raw = self._known.pop(key, (_EPOCH, None))
        return raw if timedelta() <= now - at < _WINDOW else None


def _slot(at: datetime) -> int:
    """The slot that ends at or after a time."""
    return -((_EPOCH - at) // SLOT)


def _hits_around(raw: Raw | None, now: datetime) -> "Counter[int]":
    """The requests of the last minute, by slot.

    What a clock that was set back left in a time to come would never age: it does not count.
    """
    if raw is None:
        return Counter()
    pairs = _PAIR.iter_unpack(bytes(raw["hits"]["B"]))
    age = now - _EPOCH
    return Counter(
        {slot: count for slot, count in pairs if -_WINDOW < slot * SLOT - age <= _WINDOW}
    )


def _wait_s(hits: "Counter[int]", now: datetime, limit: int) -> int:
    """Seconds until one more request would be let through."""
    freed_at = now + _WINDOW
    too_many = hits.total() - limit + 1
    for slot, count in sorted(hits.items()):
        too_many -= count
        if limit > 0 and too_many <= 0:
            freed_at = _EPOCH + slot * SLOT + _WINDOW
            break
    return max(1, math.ceil((freed_at - now).total_seconds()))
