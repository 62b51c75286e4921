"""A memory as a caller sees it: the record, its use, and what is derived at read."""

from dataclasses import dataclass
from datetime import datetime

from omoide.domain.access import use_at
from omoide.domain.decay import strength
from omoide.domain.memory import Memory, Use


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A record with its use and its strength at the time of reading.

    Attributes:
        memory: The record.
        use: Access counters as they are at the time of reading; None when it was never recalled.
        strength: 0..1, `omoide.domain.decay.strength`; never stored.
    """

    memory: Memory
    use: Use | None
    strength: float


def view_at(memory: Memory, use: Use | None, now: datetime) -> MemoryView:
    """The view of a memory at an instant.

    Args:
        memory: The record.
        use: Its counters as they are kept, valid at the latest access.
        now: Aware time of reading.
    """
    seen = None if use is None else use_at(use, now)
    return MemoryView(memory=memory, use=seen, strength=strength(memory, use, now))
