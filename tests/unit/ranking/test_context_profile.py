"""The profile that context is assembled by."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.memory import Status, Use, VerificationStatus
from omoide.domain.ranking.options import RankingOptions, RankingProfile
from omoide.domain.ranking.penalties import penalty
from omoide.domain.ranking.ranker import Ranked, rank
from omoide.domain.recency import week_recency
from tests.unit.memory_records import record
from tests.unit.ranking.pools import NOW, Member, pool_of, query_of


def context(
    *members: Member, exploration: float = 0.05, uses: dict[str, Use] | None = None
) -> Ranked:
    options = RankingOptions(profile=RankingProfile.CONTEXT, exploration=exploration)
    return rank(pool_of(*members), query_of(), options, uses)


def use(memory_id: str, count: float, days: float = 0) -> Use:
    return Use(memory_id=memory_id, accessed_at=NOW - timedelta(days=days), access_count_30d=count)


def test_relevance_trust_age_and_novelty_make_the_score() -> None:
    ranked = context(Member(id="a", dense=0.6, age_days=7), uses={"a": use("a", 3.0)})

    told = ranked.explain(0)
    relevance, trust = told.relevance, told.factors["trust"]

    assert told.factors["recency_week"] == pytest.approx(0.5)
    assert told.factors["exploration"] == pytest.approx(0.05 / 4)
    expected = (0.5 * relevance + 0.3 * trust + 0.2 * 0.5 + 0.05 / 4) / 1.05
    assert told.score == pytest.approx(expected)


def test_what_was_seldom_recalled_gains_by_exploring() -> None:
    members = (Member(id="often", dense=0.62), Member(id="never", dense=0.6))
    uses = {"often": use("often", 40.0)}

    careful = context(*members, exploration=0.02, uses=uses)
    creative = context(*members, exploration=0.2, uses=uses)

    gap = [r.scores.values[0] - r.scores.values[1] for r in (careful, creative)]
    assert gap[0] > gap[1]


def test_recalls_fade_with_the_days_since() -> None:
    ranked = context(Member(id="a"), uses={"a": use("a", 1.0, days=30)})

    assert ranked.explain(0).factors["exploration"] == pytest.approx(0.05 / (1 + 0.36788), abs=1e-5)


@given(dense=st.floats(-1, 1), age_days=st.floats(0, 10_000), exploration=st.floats(0, 1))
def test_a_score_lies_between_nothing_and_everything(
    dense: float, age_days: float, exploration: float
) -> None:
    ranked = context(Member(id="a", dense=dense, age_days=age_days), exploration=exploration)

    assert 0 <= ranked.scores.values[0] <= 1


def test_recency_is_one_now_and_half_after_a_week() -> None:
    pool = pool_of(Member(id="a"), Member(id="b", age_days=7), Member(id="c", age_days=-1))

    assert week_recency(pool.event_time, NOW).tolist() == pytest.approx([1.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("fields", "factor"),
    [
        ({}, 1.0),
        ({"status": Status.ARCHIVED}, 1.0),
        ({"status": Status.SUPERSEDED}, 0.1),
        ({"verification_status": VerificationStatus.CONTRADICTED}, 0.3),
        (
            {
                "status": Status.SUPERSEDED,
                "verification_status": VerificationStatus.CONTRADICTED,
            },
            0.03,
        ),
    ],
)
def test_what_is_no_longer_or_not_surely_true_is_lowered(
    fields: dict[str, object], factor: float
) -> None:
    assert penalty(record(**fields)) == pytest.approx(factor)
