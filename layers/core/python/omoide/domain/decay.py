"""How memories fade: strength, computed when a memory is read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from omoide.domain.memory import Memory, MemoryType, Use

DECAY_PER_DAY = {
    MemoryType.EPISODIC: 0.05,
    MemoryType.SEMANTIC: 0.01,
    MemoryType.PROCEDURAL: 0.008,
    MemoryType.PROSPECTIVE: 0.0,
}
"""Share lost per day, at first, by type; a prospective memory fades only once triggered."""

TRIGGERED_DECAY_PER_DAY = 0.05
FLASHBULB = 1.76
"""How much slower a memory of full arousal fades (the arousal weight of LUFY, 2024)."""

REHEARSAL = 0.1
WARM_BELOW = 0.4
OPEN_LOOP_STRENGTH = 0.2
OPEN_LOOP_DAYS = 90
ACCESS_TAU_DAYS = 30.0
_DAY = timedelta(days=1)
_DAY_MS = 86_400_000


def strength(memory: Memory, use: Use | None, now: datetime) -> float:
    """Return how present a memory is, 0..1.

    ``exp(-rate * idle_days) * (1 + .1 * ln(1 + accesses)) * (.5 + .5 * importance) + feedback``,
    the forgetting curve of Ebbinghaus with rehearsal. Pinned memories stay at 1; an open loop
    keeps at least .2 for 90 days.

    Args:
        memory: The record.
        use: Its counters, None when it was never recalled.
        now: Aware time to judge from; times after it count as now.
    """
    if memory.pinned:
        return 1.0
    rate = _rate(memory)
    idle_days = _days(now - _last_active(memory, use))
    retained = math.exp(-rate * idle_days) * (0.5 + 0.5 * memory.importance)
    feedback = 0.0
    if use is not None:
        since_use = _days(now - use.accessed_at)
        accesses = use.access_count_30d * math.exp(-since_use / ACCESS_TAU_DAYS)
        retained *= 1 + REHEARSAL * math.log1p(accesses)
        feedback = use.feedback * math.exp(-rate * since_use)
    value = min(1.0, max(0.0, retained + feedback))
    if not memory.resolved and now < memory.created_at + OPEN_LOOP_DAYS * _DAY:
        return max(value, OPEN_LOOP_STRENGTH)
    return value


def is_warm(value: float) -> bool:
    """Whether a strength is so low that the memory is no longer in plain sight."""
    return value < WARM_BELOW


def _rate(memory: Memory) -> float:
    if memory.memory_type is MemoryType.PROSPECTIVE and memory.triggered_at is not None:
        rate = TRIGGERED_DECAY_PER_DAY
    else:
        rate = DECAY_PER_DAY[memory.memory_type]
    return rate / (1 + FLASHBULB * (memory.arousal or 0.0))


def _last_active(memory: Memory, use: Use | None) -> datetime:
    times = [memory.last_activated_at, use.accessed_at if use else None]
    if memory.memory_type is MemoryType.PROSPECTIVE:
        times.append(memory.triggered_at)
    return max((t for t in times if t is not None), default=memory.created_at)


def _days(elapsed: timedelta) -> float:
    return max(0.0, elapsed / _DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingColumns:
    """What strength depends on, as columns of ``n`` memories. Times: milliseconds since 1970 UTC.

    Attributes:
        memory_types: ``(n,)`` index into `MemoryType`.
        importance: ``(n,)`` 0..1.
        arousal: ``(n,)`` 0..1, 0 when absent.
        pinned: ``(n,)`` bool.
        resolved: ``(n,)`` bool.
        created_at: ``(n,)`` int64.
        last_activated_at: ``(n,)`` int64, -1 when never.
        uses: ``n`` counters, None where a memory was never recalled.
    """

    memory_types: NDArray[np.uint8]
    importance: NDArray[np.float32]
    arousal: NDArray[np.float32]
    pinned: NDArray[np.bool_]
    resolved: NDArray[np.bool_]
    created_at: NDArray[np.int64]
    last_activated_at: NDArray[np.int64]
    uses: list[Use | None]


def recent_accesses(uses: Sequence[Use | None], now: datetime) -> NDArray[np.float64]:
    """Return ``(n,)`` recalls of the last 30 days, ``count * exp(-days / 30)`` since the last.

    Args:
        uses: ``n`` counters, None where a memory was never recalled.
        now: Aware time to count from.
    """
    faded = [
        0.0
        if use is None
        else use.access_count_30d * math.exp(-_days(now - use.accessed_at) / ACCESS_TAU_DAYS)
        for use in uses
    ]
    return np.array(faded, dtype=np.float64)


def strengths(columns: FadingColumns, now: datetime) -> NDArray[np.float64]:
    """Return ``(n,)`` strengths, as `strength` gives them.

    Columns do not tell whether a prospective memory was triggered: here it does not fade.
    """
    now_ms = round(now.timestamp() * 1000)
    by_type = np.array([DECAY_PER_DAY[t] for t in MemoryType])
    rate = by_type[columns.memory_types] / (1 + FLASHBULB * columns.arousal.astype(np.float64))
    used_at = np.array(
        [-1 if u is None else round(u.accessed_at.timestamp() * 1000) for u in columns.uses],
        dtype=np.int64,
    )
    active_at = np.maximum(columns.last_activated_at, used_at)
    active_at = np.where(active_at < 0, columns.created_at, active_at)
    since_use = np.maximum(0, now_ms - used_at) / _DAY_MS
    feedback = np.array([0.0 if u is None else u.feedback for u in columns.uses])
    value = np.exp(-rate * np.maximum(0, now_ms - active_at) / _DAY_MS)
    value *= 0.5 + 0.5 * columns.importance.astype(np.float64)
    value *= 1 + REHEARSAL * np.log1p(recent_accesses(columns.uses, now))
    value = np.clip(value + feedback * np.exp(-rate * since_use), 0.0, 1.0)
    is_open = ~columns.resolved & (now_ms < columns.created_at + OPEN_LOOP_DAYS * _DAY_MS)
    value = np.where(is_open, np.maximum(value, OPEN_LOOP_STRENGTH), value)
    return np.where(columns.pinned, 1.0, value)
