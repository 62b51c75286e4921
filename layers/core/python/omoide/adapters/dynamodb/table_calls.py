"""Requests to the table: consistent reads, one retry policy, errors in our words."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from omoide.adapters.dynamodb.connection import Answer, TableConnection
from omoide.adapters.dynamodb.faults import (
    VENDOR_ERRORS,
    RefusedError,
    in_our_words,
    is_refusal,
    is_transient,
)
from omoide.adapters.dynamodb.item_keys import Key, KeyRange
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.pauses import Pauses
from omoide.adapters.dynamodb.table import TABLE
from omoide.adapters.dynamodb.writes import Writes
from omoide.domain.errors import UnavailableError

ATTEMPTS = 6
"""How often a request is sent before the caller is asked to try again."""

_MAX_BATCH = 100
_MAX_AT_ONCE = 8

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One page of an answer.

    Attributes:
        items: What was found.
        count: How many were found, also when only that was asked for.
        last_key: Where the next page begins; None at the end.
    """

    items: list[Raw]
    count: int
    last_key: Raw | None


class TableCalls:
    """One table.

    Args:
        connection: To the table.
        name: Name of the table.
        pauses: Waits between attempts.
    """

    def __init__(self, connection: TableConnection, name: str, pauses: Pauses) -> None:
        self._connection = connection
        self._name = name
        self._pauses = pauses
        self._threads: ThreadPoolExecutor | None = None

    def close(self) -> None:
        """End the threads that read many items at once."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown()

    def writes(self) -> Writes:
        """A transaction to fill."""
        return Writes(self._connection, self._name)

    def get(self, key: Key) -> Raw | None:
        """Read one item."""
        answer = self._send(
            lambda: self._connection.get_item(self._name, key.pk, key.sk, consistent_read=True)
        )
        return answer.get("Item")

    def get_many(self, keys: Iterable[Key], only: Sequence[str] = ()) -> dict[Key, Raw]:
        """Read those of the items that exist.

        Args:
            keys: Which.
            only: Attributes to read beside the key; all when empty.
        """
        wanted = list(dict.fromkeys(keys))
        batches = [wanted[i : i + _MAX_BATCH] for i in range(0, len(wanted), _MAX_BATCH)]
        is_first = self._threads is None or len(batches) == 1
        answers = [self._get_batch(batch, only) for batch in batches[: int(is_first)]]
        rest = batches[len(answers) :]
        if rest:
            answers += self._pool().map(self._get_batch, rest, repeat(only))
        return {key_of(raw): raw for answer in answers for raw in answer}

    def query(
        self,
        keys: KeyRange,
        *,
        limit: int | None = None,
        is_descending: bool = False,
        where: Condition | None = None,
        after: Key | None = None,
        counts_only: bool = False,
        only: Sequence[str] = (),
    ) -> Found:
        """Read one page of a range.

        Args:
            keys: The range.
            limit: How many items are looked at, whether they satisfy ``where`` or not.
            is_descending: From the last to the first.
            where: What items must satisfy.
            after: Begin after this key.
            counts_only: Tell how many, without the items.
            only: Attributes to read; all when empty.
        """
        answer = self._send(
            lambda: self._connection.query(
                self._name,
                keys.pk,
                range_key_condition=Path([TABLE.sort_key]).between(
                    {"S": keys.low}, {"S": keys.high}
                ),
                filter_condition=where,
                consistent_read=True,
                exclusive_start_key=None if after is None else _raw_key(after),
                limit=limit,
                scan_index_forward=not is_descending,
                select="COUNT" if counts_only else None,
                attributes_to_get=list(only) or None,
            )
        )
        return _found(answer)

    def query_all(
        self, keys: KeyRange, *, where: Condition | None = None, only: Sequence[str] = ()
    ) -> list[Raw]:
        """Read a whole range, in order."""
        items: list[Raw] = []
        after: Key | None = None
        while True:
            page = self.query(keys, where=where, after=after, only=only)
            items += page.items
            if page.last_key is None:
                return items
            after = key_of(page.last_key)

    def query_due(self, partition: str, before: str, limit: int) -> list[Raw]:
        """Keys and times of what is due before an instant, oldest first; the index may lag."""
        index = TABLE.due_index
        answer = self._send(
            lambda: self._connection.query(
                self._name,
                partition,
                range_key_condition=Path([index.sort_key]) < {"S": before},
                index_name=index.name,
                limit=limit,
            )
        )
        return _found(answer).items

    def scan(self, where: Condition, after: Raw | None, limit: int) -> Found:
        """Read one page of the whole table; never while a request waits."""
        answer = self._send(
            lambda: self._connection.scan(
                self._name,
                filter_condition=where,
                exclusive_start_key=after,
                limit=limit,
                consistent_read=True,
            )
        )
        return _found(answer)

    def put(self, item: Raw, *, condition: Condition | None = None) -> None:
        """Write one item.

        Raises:
            RefusedError: The condition does not hold.
        """
        key = key_of(item)
        self._send(
            lambda: self._connection.put_item(
                self._name, key.pk, key.sk, attributes=item, condition=condition
            )
        )

    def update(
        self, key: Key, actions: Sequence[Action], *, condition: Condition | None = None
    ) -> None:
        """Change attributes of one item, made when it is not there.

        Raises:
            RefusedError: The condition does not hold.
        """
        self._send(
            lambda: self._connection.update_item(
                self._name, key.pk, key.sk, actions=actions, condition=condition
            )
        )

    def delete_many(self, keys: Sequence[Key]) -> None:
        """Delete items, each for itself."""
        for key in keys:
            self._send(lambda k=key: self._connection.delete_item(self._name, k.pk, k.sk))

    def commit(self, writes: Writes, token: str) -> None:
        """Apply a transaction.

        Args:
            writes: What to write.
            token: Makes attempts at the same transaction one.

        Raises:
            RefusedError: A condition does not hold, or another transaction was at it.
        """
        self._send(lambda: writes.send(token))

    def decide(self, attempt: Callable[[], _T]) -> _T:
        """Read, decide and write; again when another write came between.

        Raises:
            UnavailableError: Others keep writing the same items.
        """
        for number in range(ATTEMPTS):
            try:
                return attempt()
            except RefusedError:
                self._pauses.before_retry(number)
        raise UnavailableError("others keep writing the same records; try again")

    def _pool(self) -> ThreadPoolExecutor:
        """Threads that stay: starting them takes longer than many a request.

        They may be used once a request was made, for that has made the client, which is shared.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_MAX_AT_ONCE, thread_name_prefix="table")
        return self._threads

    def _get_batch(self, keys: Sequence[Key], only: Sequence[str]) -> list[Raw]:
        attributes = [TABLE.partition_key, TABLE.sort_key, *only] if only else None
        left: list[Raw] = [_raw_key(key) for key in keys]
        found: list[Raw] = []
        for number in range(ATTEMPTS):
            answer = self._send(
                lambda batch=left: self._connection.batch_get_item(
                    self._name,
                    batch,
                    consistent_read=True,
                    attributes_to_get=attributes,
                )
            )
            found += answer["Responses"].get(self._name, [])
            left = answer.get("UnprocessedKeys", {}).get(self._name, {}).get("Keys", [])
            if not left:
                return found
            self._pauses.before_retry(number)
        raise UnavailableError("the records cannot keep up; try again")

    def _send(self, request: Callable[[], Answer]) -> Answer:
        for number in range(ATTEMPTS):
            try:
                return request()
            except VENDOR_ERRORS as error:
                if is_refusal(error):
                    raise RefusedError from error
                if not is_transient(error) or number == ATTEMPTS - 1:
                    raise in_our_words(error) from error
            self._pauses.before_retry(number)
        raise AssertionError("the last attempt returns or raises")


def key_of(raw: Raw) -> Key:
    """The key of an item."""
    return Key(raw[TABLE.partition_key]["S"], raw[TABLE.sort_key]["S"])


def _raw_key(key: Key) -> Raw:
    return {TABLE.partition_key: {"S": key.pk}, TABLE.sort_key: {"S": key.sk}}


def _found(answer: Answer) -> Found:
    return Found(
        items=answer.get("Items", []),
        count=answer.get("Count", 0),
        last_key=answer.get("LastEvaluatedKey"),
    )
