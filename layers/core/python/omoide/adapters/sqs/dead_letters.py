"""Faults of indexing, kept in a queue."""

import json
from collections.abc import Sequence
from typing import Any

from omoide.adapters.sqs.message_queue import Message, MessageQueue
from omoide.ports.dead_letters import DeadLetter
from omoide.ports.index_writer import Unindexable
from omoide.ports.pending_writes import MemoryRef


class QueuedDeadLetters:
    """Implements `DeadLetters`.

    Args:
        queue: Keeps them.
    """

    def __init__(self, queue: MessageQueue) -> None:
        self._queue = queue

    def send(self, faults: Sequence[Unindexable]) -> None:
        """Keep them."""
        self._queue.send([_body(fault) for fault in faults])

    def take(self, limit: int) -> list[DeadLetter]:
        """Some of them, hidden from others for a while."""
        return [_letter(message) for message in self._queue.receive(limit)]

    def remove(self, letters: Sequence[DeadLetter]) -> None:
        """Forget those that were dealt with."""
        self._queue.delete([letter.receipt for letter in letters])


def _body(fault: Unindexable) -> str:
    return json.dumps(
        {
            "id": fault.memory.memory_id,
            "namespace": fault.memory.namespace,
            "version": fault.version,
            "reason": fault.reason,
        }
    )


def _letter(message: Message) -> DeadLetter:
    fields: Any = json.loads(message.body)
    memory = MemoryRef(namespace=fields["namespace"], memory_id=fields["id"])
    fault = Unindexable(memory=memory, version=fields["version"], reason=fields["reason"])
    return DeadLetter(receipt=message.receipt, fault=fault)
