"""Searching for what happened at a time: the caller's calendar, and what no other word finds."""

from datetime import UTC, datetime, timedelta

import pytest

from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import SearchMode
from omoide.services.new_memory import NewMemory
from tests.service.searching import found, search
from tests.service.write_desk import LOCAL, WriteDesk

AS_OF = datetime(2024, 3, 10, 14, tzinfo=UTC)
"""23:00 of the tenth in Tokyo, 03:00 of the tenth in Pago Pago."""


def remember_many(desk: WriteDesk, number: int) -> None:
    """Memories of long ago with every word of a question."""
    for start in range(0, number, 50):
        batch = [
            NewMemory(
                content=f"What did I do about number {n}?",
                event_time=AS_OF - timedelta(days=400 + n),
            )
            for n in range(start, min(start + 50, number))
        ]
        desk.store_many(LOCAL, batch)


@pytest.mark.parametrize("mode", list(SearchMode))
def test_what_happened_at_the_time_asked_for_is_found_among_many_that_match_the_words(
    desk: WriteDesk, mode: SearchMode
) -> None:
    remember_many(desk, 250)
    desk.say("Apples from the market", event_time=AS_OF - timedelta(days=1))

    answer = search(desk, "What did I do yesterday?", as_of=AS_OF, mode=mode)

    assert "Apples from the market" in found(answer)


def test_a_time_boosts_and_does_not_filter(desk: WriteDesk) -> None:
    desk.say("The boat was painted", event_time=AS_OF - timedelta(days=90))

    assert found(search(desk, "Was the boat painted yesterday?", as_of=AS_OF)) == [
        "The boat was painted"
    ]


def test_a_filter_of_the_caller_holds_whatever_the_words_say(desk: WriteDesk) -> None:
    desk.say("Old apples", event_time=AS_OF - timedelta(days=90))
    desk.say("New apples", event_time=AS_OF - timedelta(days=1))
    until = MemoryFilter(statuses=(), event_before=AS_OF - timedelta(days=30))

    assert found(search(desk, "apples of yesterday", as_of=AS_OF, where=until)) == ["Old apples"]


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("Asia/Tokyo", "The crew discussed the sail"),
        ("Pacific/Pago_Pago", "The crew discussed the keel"),
        (None, "The crew discussed the sail"),
    ],
)
def test_the_callers_zone_decides_which_day_was_yesterday(
    desk: WriteDesk, zone: str | None, first: str
) -> None:
    sail, keel = "The crew discussed the sail", "The crew discussed the keel"
    desk.say(sail, event_time=datetime(2024, 3, 9, 2, tzinfo=UTC))
    desk.say(keel, event_time=datetime(2024, 3, 10, 5, tzinfo=UTC))

    for query in ("What did the crew discuss yesterday?", "昨日 the crew discussed"):
        assert found(search(desk, query, as_of=AS_OF, timezone=zone))[0] == first


def test_yesterday_has_an_end(desk: WriteDesk) -> None:
    today, yesterday = "The crew discussed the keel", "The crew discussed the sail"
    desk.say(today, event_time=AS_OF - timedelta(hours=1))
    desk.say(yesterday, event_time=AS_OF - timedelta(days=1))

    answer = search(desk, "What did the crew discuss yesterday?", as_of=AS_OF, explain=True)

    assert found(answer) == [yesterday, today]
    times = [
        part.value
        for result in answer.results
        if result.explain is not None
        for part in result.explain.parts
        if part.name == "time"
    ]
    assert times[0] == 1.0 > times[1]


def test_relative_words_count_from_as_of(desk: WriteDesk) -> None:
    desk.say("Old apples", event_time=AS_OF - timedelta(days=366))
    desk.say("New apples", event_time=AS_OF - timedelta(days=2))

    a_year_before = AS_OF - timedelta(days=365)

    assert found(search(desk, "apples yesterday", as_of=a_year_before)) == ["Old apples"]
