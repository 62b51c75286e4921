"""Surfacing: silent at small talk, helpful at a plan, never twice in a session."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from omoide.domain.errors import ForbiddenError, InvalidRequestError, RateLimitedError
from omoide.domain.limits import MAX_QUERY
from omoide.services.limit_requests import LimitRequests
from omoide.services.surface_memories import (
    SurfaceAnswer,
    SurfaceMemories,
    SurfaceQuery,
    essence,
)
from tests.service.searching import search_of
from tests.service.write_desk import LOCAL, WriteDesk, key

PLAN = "I am planning to buy a birthday present for my sister Mika next week, tea perhaps"


def surface_of(desk: WriteDesk, **changes: object) -> SurfaceMemories:
    service = SurfaceMemories(
        search=search_of(desk),
        embedder=desk.embedder,
        uses=desk.folder.uses,
        keys=desk.folder.keys,
        shown=desk.folder.shown,
        limit=LimitRequests(limiter=desk.folder.limiter),
        clock=desk.clock,
    )
    return replace(service, **changes)  # pyright: ignore[reportArgumentType]


def surface(
    desk: WriteDesk, context: str, session_id: str = "s", **fields: object
) -> SurfaceAnswer:
    query = SurfaceQuery(context=context, session_id=session_id, **fields)  # pyright: ignore[reportArgumentType]
    return surface_of(desk)(LOCAL, query)


def shown_in(answer: SurfaceAnswer) -> list[str]:
    return [item.shown.text for item in answer.items]


@pytest.fixture
def full_desk(desk: WriteDesk) -> WriteDesk:
    """A desk that remembers something about Mika, and other things."""
    desk.say("my sister Mika likes a present of tea for her birthday next week")
    desk.say("the harbour crane was painted grey")
    return desk


def test_a_plan_brings_up_what_is_known(full_desk: WriteDesk) -> None:
    answer = surface(full_desk, PLAN)

    assert shown_in(answer)[0].startswith("my sister Mika")
    assert answer.text.count("<memories-") == 1
    assert 0 < answer.total_tokens <= 800


@pytest.mark.parametrize("talk", ["ok, thanks!", "lol", "what a day", "run the tests again"])
def test_small_talk_brings_up_nothing(full_desk: WriteDesk, talk: str) -> None:
    answer = surface(full_desk, talk)

    assert (answer.items, answer.text, answer.total_tokens) == ((), "", 0)
    assert not answer.degraded


def test_nothing_is_shown_twice_in_a_session(full_desk: WriteDesk) -> None:
    first = surface(full_desk, PLAN)
    again = surface(full_desk, PLAN)
    elsewhere = surface(full_desk, PLAN, session_id="other")

    assert not set(shown_in(first)) & set(shown_in(again))
    assert shown_in(elsewhere) == shown_in(first)


def test_a_memory_that_is_new_is_shown_in_a_session_that_saw_others(full_desk: WriteDesk) -> None:
    surface(full_desk, PLAN)
    full_desk.say("my sister Mika has a birthday next week and wants tea, no other present")

    assert len(surface(full_desk, PLAN).items) == 1


def test_what_did_not_fit_may_come_up_later(desk: WriteDesk) -> None:
    for number in range(5):
        desk.say(f"my sister Mika wants birthday present tea {number} next week. " * 10)

    seen: list[str] = []
    for _ in range(10):
        seen += [i.result.view.memory.id for i in surface(desk, PLAN, token_budget=100).items]

    assert len(seen) == len(set(seen)) == 5


def test_two_moments_at_once_never_show_the_same(desk: WriteDesk) -> None:
    for number in range(20):
        desk.say(f"my sister Mika wants birthday present tea {number} next week")

    with ThreadPoolExecutor(max_workers=8) as threads:
        asked = [threads.submit(surface, desk, PLAN) for _ in range(16)]
        answers = [one.result() for one in asked]

    shown = [item.result.view.memory.id for answer in answers for item in answer.items]
    assert shown
    assert len(shown) == len(set(shown))
    for answer in answers:
        assert all(text in answer.text for text in shown_in(answer))
        assert bool(answer.text) == bool(answer.items)


def test_only_what_is_shown_was_recalled(full_desk: WriteDesk) -> None:
    unrelated = full_desk.say("a lantern hangs in the cellar")
    surface(full_desk, "ok, thanks!")
    answer = surface(full_desk, PLAN)
    full_desk.folder.uses.flush()

    shown = {item.result.view.memory.id for item in answer.items}
    used = set(full_desk.folder.uses.get_many("default", [unrelated.id, *shown]))
    assert used == shown


def test_a_mood_prefers_memories_of_the_same_feeling(desk: WriteDesk) -> None:
    text = "my sister Mika wants birthday present tea {} next week"
    desk.say(text.format("gladly"), valence=0.9, arousal=1.0)
    desk.say(text.format("sadly"), valence=-0.9, arousal=1.0)

    glad = surface(desk, PLAN, session_id="glad", current_valence=0.9)
    sad = surface(desk, PLAN, session_id="sad", current_valence=-0.9)

    assert "gladly" in shown_in(glad)[0]
    assert "sadly" in shown_in(sad)[0]


def test_without_a_model_it_stays_silent_and_says_why(full_desk: WriteDesk) -> None:
    full_desk.embedder.is_failing = True

    answer = surface(full_desk, PLAN)

    assert answer.items == ()
    assert answer.degraded


def test_of_a_long_context_the_beginning_and_the_end_are_looked_at(full_desk: WriteDesk) -> None:
    context = f"{PLAN}\n" + "\n".join(["x = 1"] * 4_000)

    assert len(essence(context)) == MAX_QUERY
    assert essence(context).startswith(PLAN)
    assert essence("short") == "short"
    assert surface(full_desk, context).namespace == "default"


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("context", {"context": " "}),
        ("context", {"context": "a" * 32_769}),
        ("session_id", {"session_id": ""}),
        ("session_id", {"session_id": "a" * 257}),
        ("token_budget", {"token_budget": 99}),
        ("current_valence", {"current_valence": 1.5}),
        ("timezone", {"timezone": "Mars/Olympus"}),
    ],
)
def test_a_wrong_field_is_named(
    fake_desk: WriteDesk, field: str, fields: dict[str, object]
) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        surface_of(fake_desk)(LOCAL, SurfaceQuery(**{"context": "x", "session_id": "s", **fields}))  # pyright: ignore[reportArgumentType]

    assert [problem.field for problem in refused.value.details] == [field]


def test_who_may_not_read_is_shown_nothing(desk: WriteDesk) -> None:
    with pytest.raises(ForbiddenError):
        surface_of(desk)(
            key("read:team/a/**"),
            SurfaceQuery(context=PLAN, session_id="s", namespace="team/b"),
        )


def test_it_counts_as_a_search(fake_desk: WriteDesk) -> None:
    limit = LimitRequests(limiter=fake_desk.folder.limiter, searches_per_minute=1)
    service = surface_of(fake_desk, limit=limit)
    service(key("read:**"), SurfaceQuery(context="x", session_id="s"))

    with pytest.raises(RateLimitedError):
        service(key("read:**"), SurfaceQuery(context="x", session_id="s"))
