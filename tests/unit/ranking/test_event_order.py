from dataclasses import replace

import numpy as np
import pytest

from omoide.domain.ranking.event_order import event_order
from tests.unit.ranking.pools import Member, pool_of, query_of

VISITS = pool_of(
    Member(id="second", age_days=200),
    Member(id="third", age_days=100),
    Member(id="first", age_days=300),
    Member(id="soup", age_days=900),
)
RELEVANCE = np.array([0.80, 0.78, 0.75, 0.10])


def scores(query: str) -> list[float]:
    part = event_order(VISITS, replace(query_of(), text=query), RELEVANCE)
    return np.where(part.applies, part.values, -1.0).tolist()


@pytest.mark.parametrize("query", ["When did I first visit Kyoto?", "最初に京都に行ったのは"])
def test_the_earliest_of_the_answers_scores_highest_if_the_first_is_asked_for(query: str) -> None:
    assert scores(query) == [0.5, 0.0, 1.0, -1.0]


@pytest.mark.parametrize("query", ["When did I last visit Kyoto?", "最後に京都に行ったのは"])
def test_the_latest_of_the_answers_scores_highest_if_the_last_is_asked_for(query: str) -> None:
    assert scores(query) == [0.5, 1.0, 0.0, -1.0]


@pytest.mark.parametrize("query", ["Kyoto", "first prize", "last week"])
def test_without_a_word_of_order_nothing_is_said(query: str) -> None:
    assert scores(query) == [-1.0] * 4


def test_a_pool_without_members_or_relevance_gets_nothing() -> None:
    asked = replace(query_of(), text="the first visit")
    nobody, nothing = event_order(pool_of(), asked, np.zeros(0)), np.zeros(len(VISITS.ids))

    assert not len(nobody.values)
    assert not event_order(VISITS, asked, nothing).applies.any()
