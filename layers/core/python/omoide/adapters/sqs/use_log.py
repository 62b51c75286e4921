"""Accesses told to a queue, so that a search does not wait until they are counted."""

import logging
from collections.abc import Sequence

from omoide.adapters.sqs.message_queue import MessageQueue
from omoide.domain.errors import UnavailableError
from omoide.domain.memory import Use
from omoide.ports.use_log import Accessed, UseLog
from omoide.services.record_accesses import message_of

_LOGGER = logging.getLogger(__name__)


class QueuedUseLog:
    """Implements `UseLog`.

    Args:
        queue: Where accesses are told; `omoide.services.record_accesses` counts them.
        counters: Where they are counted and read.
    """

    def __init__(self, queue: MessageQueue, counters: UseLog) -> None:
        self._queue = queue
        self._counters = counters

    def record(self, accessed: Accessed) -> None:
        """Tell the queue; while it cannot be reached, accesses are not counted."""
        try:
            self._queue.send([message_of(accessed)])
        except UnavailableError as error:
            _LOGGER.warning("%d accesses are not counted: %s", len(accessed.memory_ids), error)

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """The counters of those that were ever used."""
        return self._counters.get_many(namespace, memory_ids)
