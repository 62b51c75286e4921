"""Limiting requests."""

from enum import StrEnum
from typing import Protocol


class RequestKind(StrEnum):
    """What is counted apart."""

    WRITE = "write"
    SEARCH = "search"


class RateLimiter(Protocol):
    """Sliding window of one minute per principal and kind, shared by all processes."""

    def check(self, subject: str, kind: RequestKind, limit: int) -> None:
        """Count one request of a subject (a key id, or agent for memex's shape).

        Raises:
            RateLimitedError: More than ``limit`` requests in the last minute; not counted.
        """
        ...
