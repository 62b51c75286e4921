"""What an answer says of itself: features, marks and probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from omoide.domain.analysis import Script
from omoide.domain.asked_facts import asked_facts
from omoide.domain.ranking.calibration import probability
from omoide.domain.ranking.confidence_features import ConfidenceFeatures, confidence_features
from omoide.domain.ranking.low_confidence import NOT_STORED, OFF_TOPIC
from omoide.domain.ranking.options import Fusion, RankingOptions, SearchMode
from omoide.domain.ranking.ranker import Ranked, rank
from tests.unit.ranking.pools import Member, pool_of, query_of, signs

TOPIC, ASKED, OTHER = signs(1, 2, 3), signs(0, 8, 9, 10, 11), signs(4, 5, 6, 12, 13)


def answered(*members: Member) -> Ranked:
    """The members, ranked for a query of two words: a topic and what is asked of it."""
    return rank(pool_of(*members), query_of(tokens=[TOPIC, ASKED]), RankingOptions())


def features_of(*members: Member) -> ConfidenceFeatures:
    """Features of that answer."""
    found = confidence_features(answered(*members))
    assert found is not None
    return found


def test_a_memory_on_the_topic_alone_matches_the_words_unevenly() -> None:
    topic = features_of(Member(id="a", dense=0.5, tokens=[TOPIC, OTHER]))
    whole = features_of(Member(id="a", dense=0.5, tokens=[TOPIC, ASKED]))

    assert topic.spread > whole.spread == pytest.approx(0)
    assert NOT_STORED.score(topic) > NOT_STORED.score(whole)


def test_a_word_counts_as_found_whichever_of_the_best_has_it() -> None:
    alone = features_of(Member(id="a", dense=0.5, tokens=[TOPIC]))
    both = features_of(
        Member(id="a", dense=0.5, tokens=[TOPIC]), Member(id="b", dense=0.1, tokens=[ASKED])
    )

    assert both.found == pytest.approx(1)
    assert alone.found < 0.9


def test_an_answer_on_another_topic_scores_as_such() -> None:
    matched = features_of(Member(id="a", dense=0.9, tokens=[TOPIC, ASKED]))
    unmatched = features_of(Member(id="a", dense=0.0, tokens=[OTHER]))

    assert OFF_TOPIC.score(unmatched) > OFF_TOPIC.score(matched)


def test_results_that_are_missing_count_as_irrelevant_for_the_lead() -> None:
    one = features_of(Member(id="a", dense=0.5, tokens=[TOPIC]))

    assert one.lead == pytest.approx(one.relevance)


def test_without_words_or_vectors_there_are_no_features() -> None:
    plain = rank(pool_of(Member(id="a", dense=0.5)), query_of(), RankingOptions())
    by_words = rank(
        pool_of(Member(id="a", dense=0.5, tokens=[TOPIC])),
        query_of(tokens=[TOPIC]),
        RankingOptions(mode=SearchMode.LEXICAL),
    )

    assert confidence_features(plain) is None
    assert confidence_features(by_words) is None
    assert confidence_features(answered()) is None


def test_words_of_the_query_are_made_of_its_pieces() -> None:
    query = replace(
        query_of(tokens=[TOPIC, ASKED, OTHER]),
        encoded_text="the boat's rudder",
        token_spans=np.array([[4, 6], [6, 8], [11, 17]]),
    )

    found = confidence_features(
        rank(pool_of(Member(id="a", dense=0.5, tokens=[TOPIC])), query, RankingOptions())
    )

    assert found is not None
    assert found.words == 2


def test_the_first_result_is_the_likeliest_and_all_are_shares() -> None:
    ranked = answered(
        Member(id="a", dense=0.9, tokens=[TOPIC, ASKED]),
        Member(id="b", dense=0.2, tokens=[TOPIC]),
        Member(id="c", dense=0.1, tokens=[OTHER], scripts=Script.HAN),
    )

    chances = probability(ranked)

    assert chances is not None
    assert int(np.argmax(chances)) == int(ranked.order[0])
    assert ((chances > 0) & (chances < 1)).all()


def test_where_ranks_alone_order_no_probability_is_told() -> None:
    pool, query = pool_of(Member(id="a", tokens=[TOPIC])), query_of(tokens=[TOPIC])

    assert probability(rank(pool, query, RankingOptions(fusion=Fusion.RRF))) is None


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("How old is the cat?", 1),
        ("Who paid how much, and where?", 3),
        ("猫の年齢は？", 1),
        ("誰がどこで？", 2),
        ("Wie viele Stühle?", 1),
        ("the colour of the boat", 0),
    ],
)
def test_kinds_of_fact_are_counted(query: str, count: int) -> None:
    assert asked_facts(query) == count
