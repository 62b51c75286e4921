"""The newer of two memories on the same thing leads, unless the past is asked for."""

from dataclasses import replace

import numpy as np
import pytest

from omoide.domain.memory import MemoryType
from omoide.domain.ranking.options import RankingOptions
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.ranker import Ranked, rank
from omoide.domain.tense import Tense
from omoide.domain.time_words import TimeWindow
from tests.unit.ranking.pools import NOW, Member, pool_of, query_of, signs

RENT = [signs(1, 2, 3), signs(4, 5, 6), signs(7, 8, 9)]
RENT_RAISED = [signs(1, 2, 3), signs(4, 5, 6), signs(10, 11, 12)]
ELSEWHERE = [signs(0, 10, 11, 12, 13), signs(0, 13, 14, 15)]
OLD = Member(id="old", dense=0.6, tokens=RENT, age_days=200)
NEW = Member(id="new", dense=0.5, tokens=RENT_RAISED, age_days=20, changes=True)
OTHER = Member(id="other", dense=0.1, tokens=ELSEWHERE, age_days=5)


def asked(
    *members: Member, types: dict[str, MemoryType] | None = None, query: QueryFeatures | None = None
) -> Ranked:
    """The members, ranked for a query that the rent answers."""
    pool = pool_of(*members)
    kinds = {k: list(MemoryType).index(v) for k, v in (types or {}).items()}
    typed = np.array(
        [kinds.get(m.id, kind) for m, kind in zip(members, pool.memory_types, strict=True)],
        dtype=np.uint8,
    )
    return rank(
        replace(pool, memory_types=typed),
        query or query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)]),
        RankingOptions(),
    )


def first(ranked: Ranked) -> str:
    """The id of the best."""
    return ranked.pool.ids[int(ranked.order[0])]


def test_the_newer_of_two_memories_on_one_thing_leads() -> None:
    ranked = asked(OLD, NEW, OTHER)

    assert first(ranked) == "new"
    without = rank(
        ranked.pool,
        query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)]),
        RankingOptions(without=frozenset({"newer_first"})),
    )
    assert first(without) == "old"


def test_what_the_stage_added_is_explained_to_the_last_digit() -> None:
    ranked = asked(OLD, NEW, OTHER)

    told = ranked.explain(ranked.pool.ids.index("new"))

    weights = sum(p.weight for p in told.parts if p.applies and not p.is_extra)
    total = sum(p.weight * p.value for p in told.parts if p.applies)
    assert told.relevance == pytest.approx(total / weights)
    assert next(p for p in told.parts if p.name == "newer_first").value > 0


def test_a_question_about_the_state_before_turns_the_order_round() -> None:
    query = query_of(tokens=[signs(10, 11, 12), signs(1, 2, 3)])

    ranked = asked(OLD, NEW, OTHER, query=replace(query, tense=Tense.ONCE))

    assert first(asked(OLD, NEW, OTHER, query=query)) == "new"
    assert first(ranked) == "old"


def test_the_state_before_is_asked_of_the_newest_only() -> None:
    oldest = Member(id="oldest", dense=0.3, tokens=RENT, age_days=400)
    query = query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)])

    ranked = asked(oldest, OLD, NEW, query=replace(query, tense=Tense.ONCE))

    assert first(ranked) == "old"


def test_a_question_in_the_past_tense_leaves_the_order_alone() -> None:
    query = replace(query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)]), tense=Tense.PAST)

    assert first(asked(OLD, NEW, OTHER, query=query)) == "old"


def test_a_memory_on_another_thing_takes_over_nothing() -> None:
    newest = replace(OTHER, changes=True)

    assert first(asked(OLD, newest)) == "old"


def test_what_was_said_in_a_session_does_not_become_outdated() -> None:
    said = replace(OLD, session="s1", turn=3)

    assert first(asked(said, NEW, OTHER, types={"old": MemoryType.EPISODIC})) == "old"
    assert first(asked(said, NEW, OTHER, types={"old": MemoryType.SEMANTIC})) == "new"


def test_an_identifier_that_only_the_older_one_has_keeps_the_order() -> None:
    old, new = replace(OLD, counts=(1,)), replace(NEW, counts=(0,))
    query = query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)])

    named = asked(old, new, OTHER, query=replace(query, identifiers=np.array([True])))

    assert first(named) == "old"


def test_a_time_that_the_older_one_is_closer_to_keeps_the_order() -> None:
    end = NOW.replace(month=1)
    window = TimeWindow(
        start=end.replace(year=2025), end=end, boost_start=None, boost_end=None, text="2025"
    )
    query = query_of(tokens=[signs(7, 8, 9), signs(1, 2, 3)])

    assert first(asked(OLD, NEW, OTHER, query=replace(query, windows=(window,)))) == "old"


def test_of_three_states_the_newest_leads() -> None:
    middle = Member(id="middle", dense=0.5, tokens=RENT_RAISED, age_days=100, changes=True)

    ranked = asked(OLD, middle, NEW, OTHER)

    assert [ranked.pool.ids[row] for row in ranked.order[:1]] == ["new"]


def test_memories_without_words_are_left_where_they_are() -> None:
    assert first(asked(Member(id="a", dense=0.6), Member(id="b", dense=0.5))) == "a"
