"""Times as the engine keeps them: microseconds since 1970 UTC."""

from datetime import UTC, datetime, timedelta

NEVER = 2**63 - 1
"""Stands for a time that does not come: not invalidated, not expiring."""

UNKNOWN = -(2**63)
"""Stands for a time that is not known: never activated."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(time: datetime) -> int:
    """Whole microseconds since 1970 UTC."""
    return (time - _EPOCH) // _MICROSECOND


def microseconds_or(time: datetime | None, absent: int) -> int:
    """Whole microseconds since 1970 UTC, or ``absent`` for None."""
    return absent if time is None else microseconds(time)


def time_of(value: int) -> datetime:
    """The aware UTC time of so many microseconds since 1970."""
    return _EPOCH + value * _MICROSECOND


def time_unless(value: int, absent: int) -> datetime | None:
    """The same, None for ``absent``."""
    return None if value == absent else time_of(value)
