"""Words may be found in the turns around a memory, or anywhere in its session."""

import numpy as np
import pytest

from omoide.domain.candidates import Pool
from omoide.domain.ranking.late_interaction import compare_words
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part
from omoide.domain.ranking.surroundings import terms_nearby, words_nearby, words_of_session
from tests.unit.ranking.pools import Member, pool_of, query_of, signs

BOAT, HARBOUR = signs(1, 2), signs(3)
QUERY = query_of(tokens=[BOAT, HARBOUR], terms=2)


def talk(*turns: tuple[str, int, list[int], tuple[int, int]]) -> Pool:
    members = [
        Member(id=session + str(turn), session=session, turn=turn, tokens=[tokens], counts=counts)
        for session, turn, tokens, counts in turns
    ]
    return pool_of(*members, document_frequency=(1.0, 1.0))


TALK = talk(
    ("a", 0, BOAT, (1, 0)),
    ("a", 2, HARBOUR, (0, 1)),
    ("a", 5, HARBOUR, (0, 1)),
    ("b", 1, HARBOUR, (0, 1)),
)


def nearby(pool: Pool, query: QueryFeatures) -> Part:
    return words_nearby(pool, query, compare_words(pool, query))


def test_words_of_turns_at_most_two_away_count_as_if_said_here() -> None:
    values = nearby(TALK, QUERY).values

    assert values[0] == pytest.approx(1.0)
    assert values[1] == pytest.approx(1.0)
    assert values[2] < 1
    assert values[3] < 1


def test_the_whole_session_says_its_words_together() -> None:
    part = words_of_session(TALK, QUERY, compare_words(TALK, QUERY))

    assert part.values[:3] == pytest.approx(1.0)
    assert part.values[3] < 1


def test_terms_nearby_are_a_share_of_what_the_query_asks_for() -> None:
    part = terms_nearby(TALK, QUERY, np.zeros(4))

    assert part.values == pytest.approx([1.0, 1.0, 0.5, 0.5])


def test_the_order_of_the_pool_changes_nothing() -> None:
    turned = talk(
        ("b", 1, HARBOUR, (0, 1)),
        ("a", 5, HARBOUR, (0, 1)),
        ("a", 2, HARBOUR, (0, 1)),
        ("a", 0, BOAT, (1, 0)),
    )

    assert nearby(turned, QUERY).values == pytest.approx(nearby(TALK, QUERY).values[::-1])
    assert terms_nearby(turned, QUERY, np.zeros(4)).values == pytest.approx([0.5, 0.5, 1.0, 1.0])


def test_a_memory_without_a_session_is_judged_by_itself_alone() -> None:
    pool = pool_of(Member(id="a", tokens=[BOAT]), Member(id="b", tokens=[HARBOUR]))
    words = compare_words(pool, query_of(tokens=[BOAT]))

    assert not words_nearby(pool, QUERY, words).applies.any()
    assert not words_of_session(pool, QUERY, words).applies.any()
    assert not terms_nearby(pool, QUERY, np.zeros(2)).applies.any()


def test_an_empty_pool_is_scored() -> None:
    pool = pool_of()

    assert len(nearby(pool, QUERY).values) == 0
    assert len(words_of_session(pool, QUERY, compare_words(pool, QUERY)).values) == 0
    assert len(terms_nearby(pool, QUERY, np.zeros(0)).values) == 0
