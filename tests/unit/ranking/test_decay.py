"""Memories fade; what is recalled stays."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.decay import FadingColumns, is_warm, strength, strengths
from omoide.domain.memory import Memory, MemoryType, Use
from omoide.domain.recency import half_life_recency

BORN = datetime(2026, 1, 1, tzinfo=UTC)


def memory(**fields: object) -> Memory:
    plain = Memory(
        id="m",
        namespace="n",
        content="text",
        created_at=BORN,
        updated_at=BORN,
        stored_at=BORN,
        event_time=BORN,
    )
    return replace(plain, **fields)  # pyright: ignore[reportArgumentType]


def used(at: datetime, *, count: float = 0.0, feedback: float = 0.0) -> Use:
    return Use(memory_id="m", accessed_at=at, access_count_30d=count, feedback=feedback)


@pytest.mark.parametrize(
    ("kind", "rate"),
    [(MemoryType.EPISODIC, 0.05), (MemoryType.SEMANTIC, 0.01), (MemoryType.PROCEDURAL, 0.008)],
)
def test_each_type_fades_at_its_rate(kind: MemoryType, rate: float) -> None:
    value = strength(memory(memory_type=kind, importance=1.0), None, BORN + timedelta(days=10))

    assert value == pytest.approx(np.exp(-rate * 10))


def test_full_arousal_fades_2_76_times_slower() -> None:
    now = BORN + timedelta(days=27.6)
    calm = strength(memory(importance=1.0), None, BORN + timedelta(days=10))

    assert strength(memory(importance=1.0, arousal=1.0), None, now) == pytest.approx(calm)


def test_a_recalled_memory_is_as_fresh_as_its_recall() -> None:
    now = BORN + timedelta(days=100)

    assert strength(memory(), used(now), now) > strength(memory(), None, now)
    assert strength(memory(last_activated_at=now), None, now) == strength(memory(), None, BORN)


def test_accesses_and_feedback_strengthen() -> None:
    assert strength(memory(), used(BORN, count=3), BORN) == pytest.approx(
        0.75 * (1 + 0.1 * np.log(4))
    )
    assert strength(memory(), used(BORN, feedback=-0.2), BORN) == pytest.approx(0.55)


def test_pinned_memories_do_not_fade() -> None:
    assert strength(memory(pinned=True), None, BORN + timedelta(days=9_999)) == 1.0


def test_open_loops_keep_a_fifth_for_ninety_days() -> None:
    loop = memory(resolved=False, memory_type=MemoryType.EPISODIC, importance=0.0)

    assert strength(loop, None, BORN + timedelta(days=89)) == 0.2
    assert strength(loop, None, BORN + timedelta(days=91)) < 0.2


def test_prospective_memories_fade_from_their_trigger_on() -> None:
    waiting = memory(memory_type=MemoryType.PROSPECTIVE, importance=1.0)
    now = BORN + timedelta(days=200)

    assert strength(waiting, None, now) == 1.0
    fired = replace(waiting, triggered_at=now - timedelta(days=10))
    assert strength(fired, None, now) == pytest.approx(np.exp(-0.5))


def test_a_weak_memory_is_warm() -> None:
    assert is_warm(0.39)
    assert not is_warm(0.4)


KINDS = st.sampled_from(MemoryType)
SHARES = st.floats(0, 1, width=32)
DAYS = st.floats(0, 5_000)


@given(kind=KINDS, importance=SHARES, arousal=SHARES, early=DAYS, later=DAYS)
def test_strength_never_grows_with_idleness(
    kind: MemoryType, importance: float, arousal: float, early: float, later: float
) -> None:
    one = memory(memory_type=kind, importance=importance, arousal=arousal)
    first, second = sorted((early, later))

    before = strength(one, None, BORN + timedelta(days=first))
    after = strength(one, None, BORN + timedelta(days=second))

    assert 0 <= after <= before <= 1


@given(
    kind=KINDS,
    importance=SHARES,
    arousal=SHARES,
    pinned=st.booleans(),
    resolved=st.booleans(),
    days=DAYS,
    use=st.none() | st.builds(used, st.just(BORN), count=st.floats(0, 50), feedback=SHARES),
)
def test_columns_give_the_strength_of_their_memories(
    kind: MemoryType,
    importance: float,
    arousal: float,
    pinned: bool,
    resolved: bool,
    days: float,
    use: Use | None,
) -> None:
    one = memory(
        memory_type=kind, importance=importance, arousal=arousal, pinned=pinned, resolved=resolved
    )
    now = BORN + timedelta(days=days)
    columns = FadingColumns(
        memory_types=np.array([list(MemoryType).index(kind)], dtype=np.uint8),
        importance=np.array([importance], dtype=np.float32),
        arousal=np.array([arousal], dtype=np.float32),
        pinned=np.array([pinned]),
        resolved=np.array([resolved]),
        created_at=np.array([round(BORN.timestamp() * 1000)], dtype=np.int64),
        last_activated_at=np.array([-1], dtype=np.int64),
        uses=[use],
    )

    assert strengths(columns, now)[0] == pytest.approx(strength(one, use, now), abs=1e-6)


def test_recency_halves_at_the_half_life() -> None:
    at = np.array([round(BORN.timestamp() * 1000)], dtype=np.int64)

    assert half_life_recency(at, BORN + timedelta(days=30), 30.0)[0] == pytest.approx(0.5)


def test_what_is_still_to_come_has_no_age() -> None:
    at = np.array([round((BORN + timedelta(days=9)).timestamp() * 1000)], dtype=np.int64)

    assert half_life_recency(at, BORN, 30.0).tolist() == [1.0]
