"""What the turns around a memory add."""

import numpy as np

from omoide.domain.ranking.conversation import best_of_session, next_turn, previous_question
from omoide.domain.ranking.question import is_question
from omoide.domain.ranking.speaker import speaker_named
from tests.unit.ranking.pools import Member, pool_of, query_of

TALK = (
    Member(id="c", session="s", turn=2, speaker="Ann"),
    Member(id="a", session="s", turn=0, speaker="Bob", asks=True, is_question=True),
    Member(id="b", session="s", turn=1, speaker="Ann"),
    Member(id="x", session="t", turn=3, speaker="Bob"),
    Member(id="n"),
)
MATCH = np.array([0.1, 0.8, 0.4, 0.6, 0.9])


def test_the_answer_to_a_matching_question_gains() -> None:
    part = previous_question(pool_of(*TALK), query_of(), MATCH)

    assert part.values.tolist() == [0.0, 0.0, 0.8, 0.0, 0.0]
    assert part.applies.tolist() == [True, True, True, True, False]


def test_a_turn_gains_by_the_turn_after_it() -> None:
    part = next_turn(pool_of(*TALK), query_of(), MATCH)

    assert part.values.tolist() == [0.0, 0.4, 0.1, 0.0, 0.0]


def test_every_turn_gains_by_the_best_of_its_session() -> None:
    part = best_of_session(pool_of(*TALK), query_of(), MATCH)

    assert part.values.tolist() == [0.8, 0.8, 0.8, 0.6, 0.0]
    assert part.applies.tolist() == [True, True, True, True, False]


def test_turns_far_apart_are_no_neighbours() -> None:
    pool = pool_of(
        Member(id="a", session="s", turn=1, asks=True), Member(id="b", session="s", turn=9)
    )

    assert not previous_question(pool, query_of(), np.ones(2)).values.any()


def test_every_second_turn_may_be_missing() -> None:
    pool = pool_of(
        Member(id="a", session="s", turn=1, asks=True), Member(id="b", session="s", turn=3)
    )

    assert previous_question(pool, query_of(), np.ones(2)).values.tolist() == [0.0, 1.0]


def test_a_session_without_turns_has_no_neighbours_but_a_best() -> None:
    pool = pool_of(Member(id="a", session="s"), Member(id="b", session="s"))

    assert not next_turn(pool, query_of(), np.ones(2)).applies.any()
    assert best_of_session(pool, query_of(), np.array([0.2, 0.5])).values.tolist() == [0.5, 0.5]


def test_an_empty_pool_has_no_conversation() -> None:
    for stage in (previous_question, next_turn, best_of_session):
        assert stage(pool_of(), query_of(), np.zeros(0)).values.tolist() == []


def test_what_the_one_speaker_named_said_gains() -> None:
    part = speaker_named(pool_of(*TALK), query_of("What did Ann say?"), MATCH)

    assert part.values.tolist() == [1.0, 0.0, 1.0, 0.0, 0.0]
    assert part.applies.tolist() == [True, True, True, True, False]


def test_no_speaker_or_several_named_tell_nothing() -> None:
    for text in ("What was said?", "Did Ann meet Bob?", "Annual report"):
        assert not speaker_named(pool_of(*TALK), query_of(text), MATCH).applies.any()


def test_a_speaker_is_found_between_characters_without_spaces() -> None:
    pool = pool_of(Member(id="a", speaker="美咲"), Member(id="b", speaker="健太"))

    assert speaker_named(pool, query_of("昨日美咲は何と言った"), MATCH).values.tolist() == [
        1.0,
        0.0,
    ]


def test_questions_are_marked() -> None:
    assert is_question(pool_of(*TALK), query_of(), MATCH).values.tolist() == [0, 1, 0, 0, 0]
