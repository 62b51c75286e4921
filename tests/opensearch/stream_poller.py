"""A table's stream and what brings it to the indexer, as Lambda does it.

The emulator of `make e2e` goes on after a batch whatever the function answers, so what Lambda does
with ``batchItemFailures`` is done here: the batch comes again from the first item that failed.
"""

from collections.abc import Callable, Mapping
from typing import Any

from omoide.adapters.dynamodb.item_keys import pending_key
from omoide.ports.memory_records import MemoryChange

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class StreamPoller:
    """Keeps the changes of the pending items, in order, and hands them over in batches.

    Attributes:
        position: How many changes the handler has taken.
        refused_count: Batches that were asked for again.

    Args:
        handler: The entry point of the function.
        batch_size: Changes at most in one call.
    """

    def __init__(self, handler: Handler, batch_size: int) -> None:
        self._handler = handler
        self._batch_size = batch_size
        self._records: list[dict[str, Any]] = []
        self.position = 0
        self.refused_count = 0

    @property
    def is_done(self) -> bool:
        """Whether the handler has taken every change."""
        return self.position == len(self._records)

    def note(self, change: MemoryChange) -> None:
        """Append the event of a write."""
        key = pending_key(change.memory.namespace, change.memory.id)
        told = {
            "Keys": {"pk": {"S": key.pk}, "sk": {"S": key.sk}},
            "SequenceNumber": str(len(self._records)),
        }
        name = "INSERT" if change.expected_version is None else "MODIFY"
        self._records.append({"eventName": name, "dynamodb": told})

    def poll(self) -> None:
        """Hand over one batch."""
        batch = self._records[self.position : self.position + self._batch_size]
        if not batch:
            return
        failures = self._handler({"Records": batch})["batchItemFailures"]
        if failures:
            self.refused_count += 1
            self.position = min(int(one["itemIdentifier"]) for one in failures)
        else:
            self.position += len(batch)
