from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.time_words import TimeWindow, closeness, closeness_of_all, time_windows

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def window_of(query: str) -> TimeWindow:
    (window,) = time_windows(query, now=NOW, zone=ZoneInfo("UTC"))
    return window


def test_what_lies_inside_is_as_close_as_can_be() -> None:
    yesterday = window_of("yesterday")

    assert closeness(yesterday, datetime(2026, 3, 9, tzinfo=UTC), None) == 1.0
    assert closeness(yesterday, datetime(2026, 3, 9, 23, 59, 59, tzinfo=UTC), None) == 1.0


def test_yesterday_has_an_end() -> None:
    assert closeness(window_of("yesterday"), datetime(2026, 3, 10, 12, tzinfo=UTC), None) < 0.6


def test_what_lasts_into_the_window_is_inside() -> None:
    start, end = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 9, 1, tzinfo=UTC)

    assert closeness(window_of("yesterday"), start, end) == 1.0


def test_closeness_halves_at_the_edge_of_what_vague_words_allow() -> None:
    window = window_of("three weeks ago")
    assert window.boost_end is not None

    assert closeness(window, window.boost_end, None) == pytest.approx(0.5, abs=1e-3)


def test_an_open_side_has_no_outside() -> None:
    assert closeness(window_of("before 2024"), datetime(1990, 1, 1, tzinfo=UTC), None) == 1.0
    assert closeness(window_of("after 2024"), datetime(2030, 1, 1, tzinfo=UTC), None) == 1.0
    assert closeness(window_of("before 2024"), datetime(2024, 3, 1, tzinfo=UTC), None) < 0.01


def test_the_nearest_of_several_windows_counts_and_none_is_far() -> None:
    windows = [window_of("yesterday"), window_of("in 2019")]
    moments = [datetime(2026, 3, 9, tzinfo=UTC), datetime(2019, 5, 1, tzinfo=UTC)]
    times = np.array([round(moment.timestamp() * 1000) for moment in moments], dtype=np.int64)

    assert closeness_of_all(windows, times, times).tolist() == [1.0, 1.0]
    assert closeness_of_all([], times, times).tolist() == [0.0, 0.0]


@given(near=st.floats(0, 300), further=st.floats(0, 300))
def test_closeness_never_grows_with_distance(near: float, further: float) -> None:
    window = window_of("last May")
    assert window.start is not None
    close = closeness(window, window.start - near * DAY, None)

    assert close >= closeness(window, window.start - (near + further) * DAY, None)
    assert 0.0 <= close <= 1.0
