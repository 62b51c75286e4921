"""A memory as a caller sees it: the record, its use, and what is derived at read."""

from dataclasses import dataclass
from datetime import datetime

from omoide.domain.access import use_at
from omoide.domain.decay import strength
from omoide.domain.memory import Memory, Status, Use, status_at


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A record with its use and its strength at the time of reading.

    Attributes:
        memory: The record.
        status: Its status at the time of reading, which the record does not know once it expires.
        use: Access counters as they are at the time of reading; None when it was never recalled.
        strength: 0..1, `omoide.domain.decay.strength`; never stored.
    """

    memory: Memory
    status: Status
    use: Use | None
    strength: float


def view_at(
    memory: Memory, use: Use | None, now: datetime, *, judged_at: datetime | None = None
) -> MemoryView:
    """The view of a memory at an instant.

    Args:
        memory: The record.
        use: Its counters as they are kept, valid at the latest access.
        now: Aware time of reading.
        judged_at: When its status is judged, where that is another time.
    """
    seen = None if use is None else use_at(use, now)
    return MemoryView(
        memory=memory,
        status=status_at(memory, judged_at or now),
        use=seen,
        strength=strength(memory, use, now),
    )
