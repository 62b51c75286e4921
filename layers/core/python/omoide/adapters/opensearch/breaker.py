"""Leaving an index alone that does not answer."""

from collections.abc import Callable

FIRST_REST_S = 2.0
LONGEST_REST_S = 8.0


class Breaker:
    """A circuit breaker: after a failure nothing is asked for a while, doubled with each failure.

    After the rest one request is let through; its success closes the circuit. Of several threads
    only one tries. Source: Nygard, "Release It!", 2007.

    Args:
        stopwatch: Seconds from any origin, never running backwards.
    """

    def __init__(self, stopwatch: Callable[[], float]) -> None:
        self._stopwatch = stopwatch
        self._rest_s = 0.0
        self._resting_until = float("-inf")

    def lets_through(self) -> bool:
        """Whether to ask; while it is open, one caller is told so at the end of each rest."""
        now = self._stopwatch()
        if now < self._resting_until:
            return False
        self._resting_until = now + self._rest_s
        return True

    def failed(self) -> None:
        """The index did not answer."""
        self._rest_s = min(LONGEST_REST_S, max(FIRST_REST_S, 2 * self._rest_s))
        self._resting_until = self._stopwatch() + self._rest_s

    def succeeded(self) -> None:
        """The index answered."""
        self._rest_s = 0.0
        self._resting_until = float("-inf")
