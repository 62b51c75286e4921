"""Waiting before another attempt."""

from collections.abc import Callable

from omoide.ports.clock import Entropy

FIRST_S = 0.025
LONGEST_S = 1.0
_BYTES = 4


class Pauses:
    """Exponential backoff with full jitter: a random part of a bound that doubles each time.

    Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.

    Args:
        sleep: Waits so many seconds.
        entropy: Where the random part comes from.
    """

    def __init__(self, sleep: Callable[[float], None], entropy: Entropy) -> None:
        self._sleep = sleep
        self._entropy = entropy

    def before_retry(self, attempt: int) -> None:
        """Wait after the attempt with this number, counted from 0."""
        share = int.from_bytes(self._entropy.bytes(_BYTES), "big") / (1 << 8 * _BYTES)
        self._sleep(share * min(LONGEST_S, FIRST_S * 2**attempt))
