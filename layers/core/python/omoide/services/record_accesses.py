"""Count that memories were returned to an agent, as messages tell it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from omoide.domain.errors import InvalidRequestError
from omoide.ports.use_log import Accessed, UseLog


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAccesses:
    """Counts accesses in the records.

    Attributes:
        uses: The counters; one access counts once per memory and session-hour, so a message
            that comes twice changes nothing.
    """

    uses: UseLog

    def __call__(self, accesses: Sequence[Accessed]) -> None:
        """Count them.

        Raises:
            UnavailableError: The counters cannot be reached; those not counted have to come
                again.
        """
        for accessed in accesses:
            self.uses.record(accessed)


def message_of(accessed: Accessed) -> str:
    """The message that tells of accesses."""
    return json.dumps(
        {
            "namespace": accessed.namespace,
            "memory_ids": accessed.memory_ids,
            "session": accessed.session,
            "at": accessed.at.astimezone(UTC).isoformat(),
        }
    )


def accessed_of(message: str) -> Accessed:
    """The inverse of `message_of`.

    Raises:
        InvalidRequestError: It is no such message.
    """
    try:
        fields: Any = json.loads(message)
        return Accessed(
            namespace=_text(fields["namespace"]),
            memory_ids=tuple(_text(memory_id) for memory_id in fields["memory_ids"]),
            session=_text(fields["session"]),
            at=datetime.fromisoformat(fields["at"]).astimezone(UTC),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidRequestError.of("message", "does not tell of accesses") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
