"""Windows as tables tell them: in the calendar of whoever speaks.

``2026-02-03`` is a day, ``2026-02`` a month, ``2025`` a year, ``A..B`` from the beginning of A to
the beginning of B; a side left out is open. ``now`` is the moment of speaking.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from omoide.domain.time_words import time_windows

NOW = datetime(2026, 3, 10, 9, 30)  # noqa: DTZ001 - a Tuesday, local
ZONES = (
    "America/New_York",
    "Asia/Tokyo",
    "Europe/Berlin",
    "Pacific/Pago_Pago",
    "Pacific/Kiritimati",
)

Window = tuple[datetime | None, datetime | None]


def found(query: str, zone: str, now: datetime = NOW) -> list[Window]:
    """The windows of a query said at a local time."""
    here = ZoneInfo(zone)
    windows = time_windows(query, now=now.replace(tzinfo=here), zone=here)
    return [(window.start, window.end) for window in windows]


def told(window: str, zone: str, now: datetime = NOW) -> Window:
    """The window that a table tells."""
    first, dots, last = window.partition("..")
    if not dots:
        return _moment(first, zone, now), _moment(_next(first), zone, now)
    return _moment(first, zone, now), _moment(last, zone, now)


def _next(unit: str) -> str:
    if len(unit) == len("2026"):
        return str(int(unit) + 1)
    if len(unit) == len("2026-03"):
        year, month = map(int, unit.split("-"))
        return f"{year + month // 12}-{month % 12 + 1:02}"
    return (datetime.fromisoformat(unit) + timedelta(days=1)).date().isoformat()


def _moment(text: str, zone: str, now: datetime) -> datetime | None:
    if not text:
        return None
    local = now if text == "now" else datetime.fromisoformat(text + "-01-01"[len(text) - 4 :])
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
