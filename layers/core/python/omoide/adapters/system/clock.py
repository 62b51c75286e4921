"""The clock and the randomness of this machine."""

import os
from datetime import UTC, datetime


class SystemClock:
    """The time of day."""

    def now(self) -> datetime:
        """Aware UTC, milliseconds."""
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)


class SystemEntropy:
    """Randomness of the operating system."""

    def bytes(self, count: int) -> bytes:
        """Cryptographically strong random bytes."""
        return os.urandom(count)
