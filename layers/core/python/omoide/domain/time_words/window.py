"""Windows of time that words mean, and how close an event lies to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

_MS = timedelta(milliseconds=1)
_LEAST_HALVING = timedelta(hours=12)
_OPEN_HALVING = timedelta(days=1)
_HALVINGS_PER_LENGTH = 4
_LONGEST_HALVING = timedelta(days=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """What words of time mean: ``[start, end)`` of the caller's calendar.

    Attributes:
        start: Aware UTC; None where the words name no start ("until May").
        end: Aware UTC, itself outside; None where the words name no end ("after May").
        boost_start: Like ``start``, earlier where the words are vague ("three weeks ago").
        boost_end: Like ``end``, later where the words are vague.
        text: The words, as they stand in the query in Unicode's compatibility form.
    """

    start: datetime | None
    end: datetime | None
    boost_start: datetime | None
    boost_end: datetime | None
    text: str


def closeness(window: TimeWindow, event_start: datetime, event_end: datetime | None) -> float:
    """How close an event lies to a window: 1 where they touch, halving with distance outside.

    The distance that halves it is what the window was widened by, or else a quarter of its length,
    between 12 hours and 60 days.

    Args:
        window: What was asked for.
        event_start: Aware time.
        event_end: Aware time of its end, included; None for a moment.
    """
    start = np.array([_milliseconds(event_start)], dtype=np.int64)
    end = start if event_end is None else np.array([_milliseconds(event_end)], dtype=np.int64)
    return float(closeness_of_all([window], start, end)[0])


def closeness_of_all(
    windows: Sequence[TimeWindow], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return ``(n,)`` the closeness of each event to the window nearest to it; 0 without windows.

    Args:
        windows: Any of them will do.
        starts: ``(n,)`` milliseconds since 1970 UTC.
        ends: ``(n,)`` milliseconds since 1970 UTC, not before the starts.
    """
    best = np.zeros(len(starts))
    for window in windows:
        best = np.maximum(best, _closeness(window, starts, ends))
    return best


def _closeness(
    window: TimeWindow, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float64]:
    exponent = np.zeros(len(starts))
    if window.start is not None:
        halving = _halving(window, window.start, window.boost_start)
        exponent += np.maximum(0, _milliseconds(window.start) - ends) / halving
    if window.end is not None:
        halving = _halving(window, window.end, window.boost_end)
        exponent += np.maximum(0, starts - (_milliseconds(window.end) - 1)) / halving
    return np.exp2(-exponent)


def _halving(window: TimeWindow, edge: datetime, widened: datetime | None) -> float:
    if widened is not None and widened != edge:
        return abs(widened - edge) / _MS
    if window.start is None or window.end is None:
        return _OPEN_HALVING / _MS
    quarter = (window.end - window.start) / _HALVINGS_PER_LENGTH
    return min(max(quarter, _LEAST_HALVING), _LONGEST_HALVING) / _MS


def _milliseconds(instant: datetime) -> int:
    return round(instant.timestamp() * 1000)
