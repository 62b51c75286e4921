"""Counting accesses in exponentially decayed counters."""

import math
from dataclasses import replace
from datetime import datetime, timedelta

from omoide.domain.memory import Use

TAU_7D = timedelta(days=7)
TAU_30D = timedelta(days=30)
_HOUR_S = 3600


def session_hour(at: datetime) -> int:
    """The hour, counted from 1970, within which a session counts as one access."""
    return int(at.timestamp() // _HOUR_S)


def count_access(use: Use | None, memory_id: str, at: datetime) -> Use:
    """Return the counters after one more access: ``c' = c * exp(-dt / tau) + 1``.

    Counters stay valid at the latest access: one that is told late adds what is left of it.
    """
    if use is None:
        return Use(
            memory_id=memory_id,
            accessed_at=at,
            access_count=1,
            access_count_7d=1.0,
            access_count_30d=1.0,
        )
    latest = max(use.accessed_at, at)
    return replace(
        use,
        accessed_at=latest,
        access_count=use.access_count + 1,
        access_count_7d=_counted(use.access_count_7d, use.accessed_at, at, latest, TAU_7D),
        access_count_30d=_counted(use.access_count_30d, use.accessed_at, at, latest, TAU_30D),
    )


def use_at(use: Use, now: datetime) -> Use:
    """Return the counters as they have decayed by ``now``: ``c * exp(-dt / tau)``.

    For showing them; they no longer count from ``accessed_at``, which stays that of the latest
    access. A time before it decays nothing.
    """
    return replace(
        use,
        access_count_7d=_decayed(use.access_count_7d, use.accessed_at, now, TAU_7D),
        access_count_30d=_decayed(use.access_count_30d, use.accessed_at, now, TAU_30D),
    )


def _decayed(count: float, counted_at: datetime, now: datetime, tau: timedelta) -> float:
    return count * math.exp(-max(0.0, (now - counted_at) / tau))


def _counted(
    count: float, counted_at: datetime, at: datetime, latest: datetime, tau: timedelta
) -> float:
    return _decayed(count, counted_at, latest, tau) + _decayed(1.0, at, latest, tau)
