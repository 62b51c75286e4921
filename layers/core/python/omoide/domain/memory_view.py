"""A memory as a caller sees it: the record, its use, and what is derived at read."""

from dataclasses import dataclass

from omoide.domain.memory import Memory, Use


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A record with its use and its strength at the time of reading.

    Attributes:
        memory: The record.
        use: Access counters; None when it was never recalled.
        strength: 0..1, `omoide.domain.decay.strength`; never stored.
    """

    memory: Memory
    use: Use | None
    strength: float
