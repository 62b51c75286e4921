"""Time and randomness that a test holds in its hand."""

import hashlib
import threading
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class FakeClock:
    """A clock that moves only when told to.

    Args:
        start: Aware UTC time it shows at first.
    """

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The time it was set to, milliseconds."""
        with self._lock:
            return self._now.replace(microsecond=self._now.microsecond // 1000 * 1000)

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move on and return the new time."""
        step = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        with self._lock:
            self._now += step
        return self.now()

    def set(self, now: datetime) -> None:
        """Show this aware UTC time from now on."""
        with self._lock:
            self._now = now


class FakeEntropy:
    """Bytes that look random and are the same in every run.

    Args:
        seed: Another seed gives other bytes.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._drawn = 0
        self._lock = threading.Lock()

    def bytes(self, count: int) -> bytes:
        """The next ``count`` bytes; no two calls give the same."""
        with self._lock:
            self._drawn += 1
            label = f"{self._seed}:{self._drawn}".encode()
        return hashlib.shake_256(label).digest(count)
