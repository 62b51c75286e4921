"""Time and randomness."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The time of day."""

    def now(self) -> datetime:
        """Aware UTC, milliseconds."""
        ...


class Entropy(Protocol):
    """Randomness for ids, secrets and nonces."""

    def bytes(self, count: int) -> bytes:
        """Cryptographically strong random bytes."""
        ...
