"""How recent memories are. Age counts from when something happened."""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

HOURS_OF_A_WEEK = 168
_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS


def half_life_recency(
    event_time: NDArray[np.int64], now: datetime, half_life_days: float
) -> NDArray[np.float64]:
    """Return ``(n,)`` ``2 ** (-age_days / half_life_days)``: 1 now, .5 after a half-life.

    Args:
        event_time: ``(n,)`` milliseconds since 1970 UTC.
        now: Aware time; what lies after it has age 0.
        half_life_days: Above 0.
    """
    return np.exp2(-_age_ms(event_time, now) / _DAY_MS / half_life_days)


def week_recency(event_time: NDArray[np.int64], now: datetime) -> NDArray[np.float64]:
    """Return ``(n,)`` ``1 / (1 + age_hours / 168)``: 1 now, .5 after a week, never 0.

    Args:
        event_time: ``(n,)`` milliseconds since 1970 UTC.
        now: Aware time; what lies after it has age 0.
    """
    return 1 / (1 + _age_ms(event_time, now) / _HOUR_MS / HOURS_OF_A_WEEK)


def _age_ms(event_time: NDArray[np.int64], now: datetime) -> NDArray[np.float64]:
    now_ms = round(now.timestamp() * 1000)
    return np.maximum(0, now_ms - event_time).astype(np.float64)
