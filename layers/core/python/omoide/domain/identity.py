"""Ids of records: UUIDs, new ones of version 7."""

import uuid
from datetime import UTC, datetime, timedelta

from omoide.domain.errors import NotFoundError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
RANDOM_BYTES = 10
"""How many random bytes a new id takes."""


def uuid7(now: datetime, random_bytes: bytes) -> str:
    """A UUID of version 7 (RFC 9562 section 5.7), in canonical lower form.

    Args:
        now: Aware time; its milliseconds since 1970 lead the id, so that ids sort by time. Any
            earlier time counts as 1970.
        random_bytes: `RANDOM_BYTES` bytes, of which 74 bits are kept.

    Raises:
        ValueError: Another number of random bytes.
    """
    if len(random_bytes) != RANDOM_BYTES:
        raise ValueError(f"uuid7 takes {RANDOM_BYTES} random bytes")
    milliseconds = max(0, (now - _EPOCH) // timedelta(milliseconds=1))
    bits = int.from_bytes(random_bytes, "big")
    high, low = bits >> 68, bits & ((1 << 62) - 1)
    number = milliseconds << 80 | 7 << 76 | high << 64 | 2 << 62 | low
    return str(uuid.UUID(int=number))


def find_id(text: str) -> str:
    """The canonical form of an id that addresses a record; what is no UUID cannot exist.

    Raises:
        NotFoundError: It is not a UUID.
    """
    canonical = _canonical(text)
    if canonical is None:
        raise NotFoundError
    return canonical


def _canonical(text: str) -> str | None:
    """Canonical form of ``8-4-4-4-12`` hexadecimal digits, the only spelling accepted."""
    try:
        canonical = str(uuid.UUID(text))
    except ValueError:
        return None
    return canonical if canonical == text.lower() else None
