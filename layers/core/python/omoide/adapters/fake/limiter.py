"""A rate limiter in memory."""

import math
import threading
from collections import deque
from datetime import datetime, timedelta

from omoide.domain.errors import RateLimitedError
from omoide.ports.clock import Clock
from omoide.ports.rate_limiter import RequestKind

WINDOW = timedelta(minutes=1)


class FakeRateLimiter:
    """Implements `RateLimiter` over the times of the last minute.

    Args:
        clock: The time of day.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._hits: dict[tuple[str, RequestKind], deque[datetime]] = {}
        self._lock = threading.Lock()

    def check(self, subject: str, kind: RequestKind, limit: int) -> None:
        """Count one request.

        Raises:
            RateLimitedError: More than ``limit`` requests in the last minute; not counted.
        """
        now = self._clock.now()
        with self._lock:
            hits = self._hits.setdefault((subject, kind), deque())
            counted = [at for at in hits if now - WINDOW < at <= now + WINDOW]
            hits.clear()
            hits.extend(counted)
            if len(hits) >= limit:
                freed_at = hits[len(hits) - limit] + WINDOW if limit > 0 else now + WINDOW
                wait_s = math.ceil((freed_at - now).total_seconds())
                raise RateLimitedError(
                    f"{limit} {kind} requests a minute are allowed",
                    retry_after_s=max(1, wait_s),
                    count=len(hits),
                )
            hits.append(now)
