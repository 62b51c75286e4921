"""Searching: what may be found, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from omoide.domain.errors import (
    ForbiddenError,
    InvalidRequestError,
    RateLimitedError,
    UnavailableError,
)
from omoide.domain.memory import MemoryType, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import RankingProfile
from omoide.services.limit_requests import LimitRequests
from omoide.services.search_query import SearchQuery
from tests.service.searching import found, put, search, search_of
from tests.service.write_desk import LOCAL, WriteDesk, key, take_down


def test_only_the_namespace_asked_for_is_searched(desk: WriteDesk) -> None:
    desk.say("boat here", namespace="team/a")
    desk.say("boat there", namespace="team/b")
    reader = key("read:team/a/**")

    assert found(search(desk, "boat", principal=reader)) == ["boat here"]
    with pytest.raises(ForbiddenError):
        search(desk, "boat", principal=reader, namespace="team/b")


def test_texts_of_another_namespace_change_no_score(desk: WriteDesk) -> None:
    desk.say("boat rudder", namespace="team/a")
    before = search(desk, "boat", namespace="team/a").results[0].relevance

    for number in range(20):
        desk.say(f"boat {number}", namespace="team/b")

    assert search(desk, "boat", namespace="team/a").results[0].relevance == before


def test_every_condition_of_the_filter_holds_for_every_result(desk: WriteDesk) -> None:
    desk.say("boat one", tags=("sea",), session_id="s", speaker="Ann", importance=0.9)
    desk.say("boat two", tags=("lake",), memory_type=MemoryType.PROCEDURAL)

    def only(**conditions: object) -> list[str]:
        where = MemoryFilter(statuses=(), **conditions)  # pyright: ignore[reportArgumentType]
        return found(search(desk, "boat", where=where))

    assert only(tags_any=("sea", "river")) == ["boat one"]
    assert only(memory_types=(MemoryType.PROCEDURAL,)) == ["boat two"]
    assert only(session_id="s") == ["boat one"]
    assert only(speaker="Ann") == ["boat one"]
    assert only(importance_min=0.8) == ["boat one"]
    assert only(speaker="Bob") == []


def test_filter_times_without_a_zone_are_utc(desk: WriteDesk) -> None:
    desk.say("boat", event_time=datetime(2026, 1, 5, 12, tzinfo=UTC))
    noon = datetime(2026, 1, 5, 12)  # noqa: DTZ001

    after = MemoryFilter(statuses=(), event_after=noon)
    before = MemoryFilter(statuses=(), event_before=noon)

    assert found(search(desk, "boat", where=after)) == ["boat"]
    assert found(search(desk, "boat", where=before)) == []


def test_only_active_memories_are_found_unless_others_are_included(desk: WriteDesk) -> None:
    kept = desk.say("boat kept")
    gone = desk.say("boat archived")
    put(desk, replace(gone, status=Status.ARCHIVED, version=2))

    assert found(search(desk, "boat")) == [kept.content]
    both = search(desk, "boat", include=(Status.ARCHIVED,))
    assert set(found(both)) == {kept.content, gone.content}
    alone = search(desk, "boat", where=MemoryFilter(statuses=(Status.ARCHIVED,)))
    assert found(alone) == [gone.content]


def test_what_expired_is_not_found(desk: WriteDesk) -> None:
    desk.say("boat", expires_at=desk.clock.now() + timedelta(days=1))

    assert found(search(desk, "boat")) == ["boat"]
    desk.clock.advance(days=2)
    assert found(search(desk, "boat")) == []
    assert found(search(desk, "boat", include=(Status.EXPIRED,))) == ["boat"]


def test_as_of_finds_what_was_valid_then(desk: WriteDesk) -> None:
    old = desk.say("the boat lies in Kiel")
    moved = desk.clock.advance(days=10)
    put(desk, replace(old, status=Status.SUPERSEDED, invalidated_at=moved, version=2))
    desk.say("the boat lies in Rostock")
    desk.clock.advance(days=10)

    assert found(search(desk, "boat")) == ["the boat lies in Rostock"]
    then = search(desk, "boat", as_of=moved - timedelta(days=1))
    assert found(then) == ["the boat lies in Kiel"]


def test_what_has_expired_is_not_found_by_searching_the_past(desk: WriteDesk) -> None:
    memory = desk.say("boat", expires_at=desk.clock.now() + timedelta(days=1))
    desk.clock.advance(days=2)

    assert found(search(desk, "boat", as_of=memory.created_at)) == []
    again = search(desk, "boat", as_of=memory.created_at, include=(Status.EXPIRED,))
    assert found(again) == ["boat"]
    assert again.results[0].view.status is Status.EXPIRED


def test_what_will_have_expired_is_not_found_by_searching_the_future(desk: WriteDesk) -> None:
    memory = desk.say("boat", expires_at=desk.clock.now() + timedelta(days=1))

    assert found(search(desk, "boat", as_of=memory.created_at + timedelta(hours=9))) == ["boat"]
    assert found(search(desk, "boat", as_of=memory.created_at + timedelta(days=9))) == []


def test_ages_are_counted_from_as_of(desk: WriteDesk) -> None:
    memory = desk.say("boat")
    desk.clock.advance(days=300)
    as_of = memory.created_at + timedelta(days=30)

    answer = search(desk, "boat", as_of=as_of, profile=RankingProfile.ALPHA, alpha=0.0)

    assert answer.results[0].score == pytest.approx(0.5)


def test_searches_are_limited(fake_desk: WriteDesk) -> None:
    limit = LimitRequests(limiter=fake_desk.folder.limiter, searches_per_minute=2)
    service = search_of(fake_desk, limit=limit)
    reader = key("read:**")

    for _ in range(2):
        service(reader, SearchQuery(query="boat"))
    with pytest.raises(RateLimitedError):
        service(reader, SearchQuery(query="boat"))
    service(LOCAL, SearchQuery(query="boat"))


def test_an_unreachable_index_is_said_to_be_so(fake_desk: WriteDesk) -> None:
    take_down(fake_desk)

    with pytest.raises(UnavailableError):
        search(fake_desk, "boat")


INVALID: Sequence[tuple[str, dict[str, object]]] = [
    ("query", {"query": ""}),
    ("query", {"query": " \n"}),
    ("query", {"query": "a" * 2_001}),
    ("query", {"query": "a\x00b"}),
    ("query", {"query": "\ud800"}),
    ("top_k", {"top_k": 0}),
    ("top_k", {"top_k": 101}),
    ("alpha", {"alpha": 1.5}),
    ("alpha", {"alpha": float("nan")}),
    ("current_valence", {"current_valence": -2.0}),
    ("current_valence", {"profile": RankingProfile.MOOD}),
    ("min_score", {"min_score": float("nan")}),
    ("min_score", {"min_score": float("inf")}),
    ("timezone", {"timezone": "Mars/Olympus"}),
    (
        "include",
        {"include": (Status.ARCHIVED,), "where": MemoryFilter(statuses=(Status.ACTIVE,))},
    ),
    ("as_of", {"as_of": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))}),
    ("namespace", {"namespace": "users/{userId}/facts"}),
]


@pytest.mark.parametrize(("field", "fields"), INVALID)
def test_a_wrong_field_is_named(
    fake_desk: WriteDesk, field: str, fields: dict[str, object]
) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        search_of(fake_desk)(LOCAL, SearchQuery(**{"query": "boat", **fields}))  # pyright: ignore[reportArgumentType]

    assert [problem.field for problem in refused.value.details] == [field]


def test_every_wrong_field_is_named_at_once(fake_desk: WriteDesk) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        search(fake_desk, "", top_k=0, alpha=9.0)

    assert {p.field for p in refused.value.details} == {"query", "top_k", "alpha"}
