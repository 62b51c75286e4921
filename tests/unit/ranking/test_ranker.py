"""The order of a pool, and the account of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.analysis import Script
from omoide.domain.model_profile import Scale
from omoide.domain.ranking.fusion import K
from omoide.domain.ranking.low_confidence import is_low_confidence
from omoide.domain.ranking.options import Fusion, RankingOptions, RankingProfile, SearchMode
from omoide.domain.ranking.ranker import Ranked, rank
from omoide.domain.ranking.stages import STAGE_NAMES
from tests.unit.ranking.pools import MODEL, Member, pool_of, query_of, signs

ALPHA = RankingOptions(profile=RankingProfile.ALPHA, mode=SearchMode.SEMANTIC, alpha=0.7)


def order(ranked: Ranked) -> list[str]:
    return [ranked.pool.ids[i] for i in ranked.order]


def test_relevance_is_the_weighted_mean_of_the_parts_that_apply() -> None:
    pool = pool_of(
        Member(id="a", dense=0.6, counts=(2,), tokens=[signs(1, 2)], session="s", turn=1),
        Member(id="b", dense=0.3, tokens=[signs(4)], session="s", turn=2, is_question=True),
    )
    ranked = rank(pool, query_of(tokens=[signs(1, 5)]), RankingOptions())

    for row in range(2):
        told = ranked.explain(row)
        total = sum(p.weight * p.value for p in told.parts if p.applies)
        weight = sum(p.weight for p in told.parts if p.applies and not p.is_extra)
        assert told.relevance == pytest.approx(min(1.0, max(0.0, total / weight)))
        assert {p.name for p in told.parts} == set(STAGE_NAMES)


def test_a_stage_can_be_left_out() -> None:
    pool = pool_of(Member(id="a", dense=0.9), Member(id="b", dense=0.1, counts=(3,)))

    assert order(rank(pool, query_of(), RankingOptions(without=frozenset({"lexical"})))) == [
        "a",
        "b",
    ]
    without = RankingOptions(without=frozenset({"dense"}))
    assert order(rank(pool, query_of(), without)) == ["b", "a"]


def test_a_stage_of_weight_nothing_is_not_told() -> None:
    weightless = replace(MODEL, weights=replace(MODEL.weights, speaker=0.0))

    ranked = rank(pool_of(Member(id="a")), query_of(model=weightless), RankingOptions())

    assert "speaker" not in {p.name for p in ranked.explain(0).parts}


def test_semantic_mode_leaves_words_out_and_lexical_mode_vectors() -> None:
    pool = pool_of(
        Member(id="a", dense=0.9, tokens=[signs(1)]), Member(id="b", dense=0.1, counts=(3,))
    )
    query = query_of(tokens=[signs(1)])

    assert order(rank(pool, query, RankingOptions(mode=SearchMode.SEMANTIC))) == ["a", "b"]
    assert order(rank(pool, query, RankingOptions(mode=SearchMode.LEXICAL))) == ["b", "a"]


def test_equals_are_ordered_by_age_then_id() -> None:
    pool = pool_of(
        Member(id="1", age_days=1),
        Member(id="2"),
        Member(id="3"),
        Member(id="0", age_days=1),
    )
    options = RankingOptions(without=frozenset({"recency_half_life", "strength"}))

    assert order(rank(pool, query_of(), options)) == ["3", "2", "1", "0"]


@given(permutation=st.permutations(range(6)))
def test_the_order_does_not_depend_on_the_order_of_the_pool(permutation: list[int]) -> None:
    members = [
        Member(
            id=str(i),
            dense=0.1 * (i % 3),
            counts=(i % 2,),
            tokens=[signs(i)],
            session="s" if i < 4 else None,
            turn=i if i < 4 else -1,
            age_days=i,
        )
        for i in range(6)
    ]
    query = query_of(tokens=[signs(0, 3)])

    expected = order(rank(pool_of(*members), query, RankingOptions()))

    shuffled = pool_of(*(members[i] for i in permutation))
    assert order(rank(shuffled, query, RankingOptions())) == expected


@given(
    dense=st.floats(-1, 1, width=32),
    count=st.integers(0, 9),
    arousal=st.floats(0, 1, width=32),
    profile=st.sampled_from([RankingProfile.SEARCH, RankingProfile.ALPHA, RankingProfile.MOOD]),
)
def test_relevance_stays_between_nothing_and_everything(
    dense: float, count: int, arousal: float, profile: RankingProfile
) -> None:
    pool = pool_of(Member(id="a", dense=dense, counts=(count,), arousal=arousal))

    ranked = rank(pool, query_of(), RankingOptions(profile=profile))

    assert 0 <= ranked.relevance.values[0] <= 1
    assert 0 <= ranked.scores.values[0] <= 1.5


def test_alpha_mixes_clipped_similarity_and_recency() -> None:
    pool = pool_of(Member(id="old", dense=0.8, age_days=30), Member(id="new", dense=-0.2))

    ranked = rank(pool, query_of(), ALPHA)

    assert ranked.scores.values == pytest.approx([0.7 * 0.8 + 0.3 * 0.5, 0.3])
    assert ranked.relevance.values == pytest.approx([0.8, 0.0])


def test_alpha_nothing_orders_by_age_alone() -> None:
    pool = pool_of(Member(id="best", dense=1.0, age_days=9), Member(id="newest", dense=0.0))

    assert order(rank(pool, query_of(), replace(ALPHA, alpha=0.0))) == ["newest", "best"]


def test_pinned_and_important_memories_come_first_among_equals() -> None:
    pool = pool_of(
        Member(id="plain"), Member(id="important", importance=1.0), Member(id="pinned", pinned=True)
    )

    assert order(rank(pool, query_of(), RankingOptions())) == ["pinned", "important", "plain"]


def test_the_search_profile_moves_no_score_by_much() -> None:
    pool = pool_of(Member(id="a", importance=1.0), Member(id="b", importance=0.0, age_days=9_999))

    ranked = rank(pool, query_of(), RankingOptions())

    assert 0.85 < ranked.scores.values[1] / ranked.scores.values[0] < 1


def test_mood_favours_memories_of_the_same_feeling() -> None:
    pool = pool_of(
        Member(id="sad", valence=-0.9, arousal=1.0), Member(id="glad", valence=0.9, arousal=1.0)
    )
    options = RankingOptions(profile=RankingProfile.MOOD, current_valence=-0.8)

    assert order(rank(pool, query_of(), options)) == ["sad", "glad"]


def test_rank_fusion_looks_at_ranks_alone() -> None:
    both = Member(id="both", dense=0.6, counts=(1,))
    pool = pool_of(both, Member(id="one", dense=0.9, arms=frozenset({"dense"})))

    ranked = rank(pool, query_of(), RankingOptions(fusion=Fusion.RRF))

    assert order(ranked) == ["both", "one"]
    assert ranked.relevance.values == pytest.approx([((K + 1) / (K + 2) + 1) / 2, 0.5])


def test_a_memory_without_vectors_is_ranked_by_its_words() -> None:
    pool = pool_of(Member(id="words", dense=np.nan, counts=(3,)), Member(id="other", dense=0.1))

    ranked = rank(pool, query_of(), RankingOptions())

    assert order(ranked) == ["words", "other"]
    assert np.isnan(ranked.similarity[0])


def test_across_scripts_the_floor_differs_and_the_ceiling_does_not() -> None:
    model = replace(
        MODEL,
        dense=Scale(floor=0.4, ceiling=0.9),
        dense_cross_script=Scale(floor=0.2, ceiling=0.5),
    )
    pool = pool_of(Member(id="a", dense=0.65), Member(id="b", dense=0.55, scripts=Script.HAN))

    similarity = rank(pool, query_of(model=model), RankingOptions()).similarity

    assert similarity == pytest.approx([0.5, 0.5])


def test_across_scripts_the_best_match_vouches_for_its_like() -> None:
    seed = [signs(1, 2, 3), signs(4, 5)]
    pool = pool_of(
        Member(id="seed", dense=0.9, tokens=seed, scripts=Script.HAN),
        Member(id="like", dense=0.2, tokens=[signs(1, 2, 3), signs(4, 6)], scripts=Script.HAN),
        Member(id="unlike", dense=0.2, tokens=[signs(*range(8, 16))] * 2, scripts=Script.HAN),
        Member(id="own", dense=0.2, tokens=seed),
    )

    ranked = rank(pool, query_of(tokens=[signs(1, 2, 3)]), RankingOptions())

    parts = {pool.ids[i]: ranked.explain(i).parts for i in range(4)}
    told = {k: next(p for p in found if p.name == "association") for k, found in parts.items()}
    assert told["like"].value > told["unlike"].value
    assert not told["own"].applies
    assert told["seed"].value == 0


def test_nothing_found_or_nothing_alike_is_low_confidence() -> None:
    assert is_low_confidence(rank(pool_of(), query_of(), RankingOptions()))
    assert is_low_confidence(rank(pool_of(Member(id="a", dense=0.0)), query_of(), RankingOptions()))
    good = pool_of(Member(id="a", dense=0.9, counts=(2,)))
    assert not is_low_confidence(rank(good, query_of(), RankingOptions()))
    assert not is_low_confidence(rank(good, query_of(), RankingOptions(fusion=Fusion.RRF)))
