"""Searching: what is returned was recalled, and is as the records are now."""

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.memory import Memory, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_index import MemoryIndex
from omoide.services.search_query import SearchQuery
from tests.service.searching import put, search, search_of
from tests.service.write_desk import LOCAL, WriteDesk


def test_an_empty_namespace_answers_with_nothing_in_low_confidence(desk: WriteDesk) -> None:
    answer = search(desk, "boat")

    assert answer.results == ()
    assert answer.low_confidence
    assert answer.filtered_count == 0


class StaleIndex:
    """An index that still names what its records no longer hold."""

    def __init__(self, index: MemoryIndex, after: Callable[[], None]) -> None:
        self._index = index
        self._after = after

    def nominate(self, request: NominationRequest) -> Pool:
        pool = self._index.nominate(request)
        self._after()
        return pool


def test_what_was_deleted_meanwhile_gives_way_to_the_next(desk: WriteDesk) -> None:
    memories = [desk.say(f"boat {'rudder ' * n}") for n in range(1, 5)]

    def delete_best() -> None:
        desk.delete(LOCAL, memories[3].id)

    service = search_of(desk, index=StaleIndex(desk.folder.index, delete_best))
    answer = service(LOCAL, SearchQuery(query="boat rudder", top_k=3))

    assert len(answer.results) == 3
    assert memories[3].id not in {result.view.memory.id for result in answer.results}


def test_what_left_the_filter_meanwhile_is_not_returned(desk: WriteDesk) -> None:
    memory = desk.say("boat")

    def archive() -> None:
        put(desk, replace(memory, status=Status.ARCHIVED, version=2))

    service = search_of(desk, index=StaleIndex(desk.folder.index, archive))

    assert service(LOCAL, SearchQuery(query="boat")).results == ()


def access_count(desk: WriteDesk, memory: Memory) -> int:
    use = desk.get(LOCAL, memory.id).use
    return 0 if use is None else use.access_count


def test_results_count_as_recalled_once_per_session_and_hour(fake_desk: WriteDesk) -> None:
    memory = fake_desk.say("boat")

    search(fake_desk, "boat", session="one")
    search(fake_desk, "boat", session="one")
    assert access_count(fake_desk, memory) == 1

    search(fake_desk, "boat", session="two")
    fake_desk.clock.advance(hours=1)
    search(fake_desk, "boat", session="one")
    assert access_count(fake_desk, memory) == 3


def test_what_min_score_removed_was_not_recalled(fake_desk: WriteDesk) -> None:
    memory = fake_desk.say("boat")

    search(fake_desk, "boat", min_score=99.0)

    assert access_count(fake_desk, memory) == 0


def test_recalled_memories_are_stronger(fake_desk: WriteDesk) -> None:
    fake_desk.say("boat")
    fake_desk.clock.advance(days=60)

    first = search(fake_desk, "boat").results[0]
    second = search(fake_desk, "boat").results[0]

    assert second.view.strength > first.view.strength
    assert second.score > first.score


def test_the_time_taken_is_told_by_the_stopwatch(fake_desk: WriteDesk) -> None:
    ticks = iter([10.0, 10.25])

    answer = search_of(fake_desk, stopwatch=lambda: next(ticks))(LOCAL, SearchQuery(query="boat"))

    assert answer.took_ms == 250


def test_recency_counts_from_the_event(fake_desk: WriteDesk) -> None:
    event_time = fake_desk.clock.now() - timedelta(days=30)
    fake_desk.say("boat", event_time=event_time)

    told = search(fake_desk, "boat", explain=True).results[0].explain

    assert told is not None
    assert told.factors["recency_half_life"] == pytest.approx(0.5)


def test_shown_counters_have_decayed_by_the_time_of_reading(fake_desk: WriteDesk) -> None:
    memory = fake_desk.say("boat")
    search(fake_desk, "boat")
    fake_desk.clock.advance(days=7)

    read = fake_desk.get(LOCAL, memory.id).use
    listed = fake_desk.list(LOCAL, None, MemoryFilter()).views[0].use
    sought = search(fake_desk, "boat").results[0].view.use

    for use in (read, listed, sought):
        assert use is not None
        assert use.access_count_7d == pytest.approx(math.exp(-1))
        assert use.access_count_30d == pytest.approx(math.exp(-7 / 30))
        assert use.access_count == 1
