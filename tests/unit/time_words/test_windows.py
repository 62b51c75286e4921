from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.time_words import TimeWindow, time_windows

NEW_YORK = ZoneInfo("America/New_York")
TOKYO = ZoneInfo("Asia/Tokyo")

EN = [
    "yesterday",
    "3 weeks ago",
    "last May",
    "since March",
    "between March and May",
    "Q3",
    "on the 31st",
]
JA = ["昨日", "先週の金曜", "三日前", "去年の夏", "3月から5月まで", "5月の初め", "年末", "2月29日"]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def only(query: str, now: datetime, zone: ZoneInfo) -> TimeWindow:
    (window,) = time_windows(query, now=now, zone=zone)
    return window


JOINTS = ["and", "から", "until", "the", "in", "5", "の", "頃"]
MOMENTS = st.integers(-10_000_000, 40_000_000).map(
    lambda minutes: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)

CLOCK_CHANGES = [
    ("yesterday", "America/New_York", "2026-03-09T16:00", "2026-03-08T05:00..2026-03-09T04:00"),
    ("yesterday", "America/New_York", "2026-11-02T17:00", "2026-11-01T04:00..2026-11-02T05:00"),
    ("昨日", "Europe/London", "2026-03-30T09:00", "2026-03-29T00:00..2026-03-29T23:00"),
    ("last Sunday", "Europe/Berlin", "2026-10-26T09:00", "2026-10-24T22:00..2026-10-25T23:00"),
    ("last week", "Australia/Sydney", "2026-04-07T02:00", "2026-03-29T13:00..2026-04-05T14:00"),
    ("yesterday", "America/Havana", "2026-03-09T16:00", "2026-03-08T05:00..2026-03-09T04:00"),
    ("今朝", "America/New_York", "2026-03-08T18:00", "2026-03-08T09:00..2026-03-08T16:00"),
    ("last night", "America/New_York", "2026-03-08T18:00", "2026-03-07T23:00..2026-03-08T10:00"),
    ("past 24 hours", "America/New_York", "2026-03-08T18:00", "2026-03-07T18:00..2026-03-08T18:00"),
    ("last 7 days", "America/New_York", "2026-03-09T16:00", "2026-03-02T17:00..2026-03-09T16:00"),
    ("yesterday", "Asia/Tokyo", "2026-03-08T15:30", "2026-03-07T15:00..2026-03-08T15:00"),
    ("yesterday", "Pacific/Pago_Pago", "2026-03-09T10:30", "2026-03-07T11:00..2026-03-08T11:00"),
    ("2011-12-31", "Pacific/Apia", "2026-03-09T10:30", "2011-12-30T10:00..2011-12-31T10:00"),
]
"""Query, zone, now and the window, all but the zone's name in UTC."""


@pytest.mark.parametrize(("query", "zone", "now", "expected"), CLOCK_CHANGES)
def test_days_are_as_long_as_the_clock_of_the_zone_makes_them(
    query: str, zone: str, now: str, expected: str
) -> None:
    window = only(query, utc(now), ZoneInfo(zone))

    assert (window.start, window.end) == tuple(map(utc, expected.split("..")))


def test_the_same_words_mean_other_instants_in_other_zones() -> None:
    now = utc("2026-03-10T12:00")

    tokyo, pago_pago = (
        only("yesterday", now, TOKYO),
        only("yesterday", now, ZoneInfo("Pacific/Pago_Pago")),
    )

    assert (tokyo.start, tokyo.end) == (utc("2026-03-08T15:00"), utc("2026-03-09T15:00"))
    assert (pago_pago.start, pago_pago.end) == (utc("2026-03-09T11:00"), utc("2026-03-10T11:00"))


def test_weeks_months_and_years_ago_are_widened_by_a_fifth_for_boosting() -> None:
    window = only("three weeks ago", utc("2026-03-10T12:00"), TOKYO)

    assert window.start is not None
    assert window.end is not None
    assert window.end - window.start == timedelta(days=1)
    assert window.boost_start == window.start - timedelta(days=21) / 5
    assert window.boost_end == window.end + timedelta(days=21) / 5


def test_days_ago_are_not_widened() -> None:
    window = only("3 days ago", utc("2026-03-10T12:00"), TOKYO)

    assert (window.boost_start, window.boost_end) == (window.start, window.end)


@pytest.mark.parametrize(
    "query", ["about ten days ago", "十日ほど前", "a few days ago", "around Easter"]
)
def test_vague_words_are_widened(query: str) -> None:
    window = only(query, utc("2026-03-10T12:00"), TOKYO)

    assert window.start is not None
    assert window.boost_start is not None
    assert window.boost_start < window.start


def test_a_window_tells_the_words_it_comes_from() -> None:
    now = utc("2026-03-10T12:00")

    assert only("What happened since Last Friday?", now, TOKYO).text == "since Last Friday"
    assert only("先週の金曜に話したこと", now, TOKYO).text == "先週の金曜"


def test_two_times_give_two_windows() -> None:
    windows = time_windows(
        "compare last May with March 2024", now=utc("2026-03-10T12:00"), zone=TOKYO
    )

    assert [window.text for window in windows] == ["last May", "March 2024"]


def test_quoted_words_are_not_times_unless_the_whole_query_is_quoted() -> None:
    now = utc("2026-03-10T12:00")

    assert time_windows("who wrote “Yesterday”?", now=now, zone=TOKYO) == ()
    assert len(time_windows('"yesterday"', now=now, zone=TOKYO)) == 1


@pytest.mark.parametrize(
    "query", ["9999 years ago", "9999 years from now", "9999年前", "since 0001-01-01"]
)
def test_times_outside_the_calendar_are_left_out_or_open(query: str) -> None:
    for window in time_windows(query, now=utc("2026-03-10T12:00"), zone=NEW_YORK):
        assert window.start is None or window.start.year < 10_000


@pytest.mark.parametrize("now", ["0001-01-02T00:00", "9999-12-30T23:00"])
@pytest.mark.parametrize("query", EN + JA)
def test_the_ends_of_the_calendar_break_nothing(query: str, now: str) -> None:
    assert isinstance(time_windows(query, now=utc(now), zone=ZoneInfo("UTC")), tuple)


@given(
    words=st.lists(
        st.sampled_from([*EN, *JA, "and", "から", "until", "the", "in", "5", "の", "頃"]),
        max_size=6,
    ),
    now=MOMENTS,
    zone=st.sampled_from(["America/New_York", "Asia/Tokyo", "Africa/Casablanca", "Asia/Kathmandu"]),
)
def test_every_window_ends_after_it_starts_and_lies_within_its_wider_one(
    words: list[str], now: datetime, zone: str
) -> None:
    here = ZoneInfo(zone)
    for window in time_windows(" ".join(words), now=now, zone=here):
        assert window.start is not None or window.end is not None
        if window.start is not None and window.end is not None:
            assert window.start < window.end
        if window.start is not None and window.boost_start is not None:
            assert window.boost_start <= window.start
        if window.end is not None and window.boost_end is not None:
            assert window.end <= window.boost_end


@given(text=st.text(max_size=200), now=MOMENTS)
def test_any_text_can_be_looked_at(text: str, now: datetime) -> None:
    assert isinstance(time_windows(text, now=now, zone=TOKYO), tuple)
