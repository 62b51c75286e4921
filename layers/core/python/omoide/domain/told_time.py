"""Whether a text tells when: it speaks of a date, a day, a season, "last week"."""

from datetime import datetime
from zoneinfo import ZoneInfo

from omoide.domain.time_words import time_windows

_SAMPLE_CHARACTERS = 2_000
_ZONE = ZoneInfo("UTC")
"""Any will do: where a window begins does not matter here."""


def tells_time(text: str, *, said_at: datetime) -> bool:
    """Whether a text speaks of a time; only its first 2,000 characters are looked at.

    Args:
        text: Any text.
        said_at: Aware time at which it was said.
    """
    return bool(time_windows(text[:_SAMPLE_CHARACTERS], now=said_at, zone=_ZONE))
