import math
from datetime import UTC, datetime, timedelta

import pytest

from omoide.domain.access import count_access, use_at

START = datetime(2026, 1, 1, tzinfo=UTC)
WEEK = timedelta(days=7)


def test_counters_decay_towards_the_time_they_are_shown_at() -> None:
    use = count_access(None, "m", START)

    seen = use_at(use, START + WEEK)

    assert seen.access_count_7d == pytest.approx(math.exp(-1))
    assert seen.access_count_30d == pytest.approx(math.exp(-7 / 30))
    assert (seen.accessed_at, seen.access_count) == (START, 1)


def test_a_time_before_the_latest_access_shows_what_was_counted() -> None:
    use = count_access(None, "m", START)

    assert use_at(use, START) == use
    assert use_at(use, START - WEEK) == use


def test_an_access_that_is_told_late_adds_what_is_left_of_it() -> None:
    late = count_access(count_access(None, "m", START + WEEK), "m", START)

    assert late.accessed_at == START + WEEK
    assert late.access_count_7d == pytest.approx(1 + math.exp(-1))
