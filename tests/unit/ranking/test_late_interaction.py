"""MaxSim over sign vectors equals its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.candidates import Pool
from omoide.domain.ranking.late_interaction import (
    compare_words,
    late_interaction,
    max_similarity,
)
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part
from tests.unit.ranking.pools import DIMS, Member, pool_of, query_of, signs


def late(pool: Pool, query: QueryFeatures) -> Part:
    return late_interaction(pool, query, compare_words(pool, query))


@given(seed=st.integers(0, 2**32 - 1), lengths=st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_it_equals_the_naive_sum(seed: int, lengths: list[int]) -> None:
    random = np.random.default_rng(seed)
    rows = random.choice([-1, 1], size=(sum(lengths), DIMS))
    tokens = random.normal(size=(3, DIMS)).astype(np.float32)
    weights = random.uniform(0.1, 2, size=3).astype(np.float32)
    offsets = np.cumsum([0, *lengths], dtype=np.int64)

    found = max_similarity(np.packbits(rows > 0, axis=1), offsets, tokens, weights)

    for i, length in enumerate(lengths):
        unit = rows[offsets[i] : offsets[i + 1]] / np.sqrt(DIMS)
        best = (unit @ tokens.T).max(axis=0) if length else np.zeros(3)
        assert found[i] == pytest.approx((weights * best).sum() / weights.sum(), abs=1e-5)


def test_long_pools_are_scored_in_blocks_without_a_seam() -> None:
    random = np.random.default_rng(1)
    rows = random.choice([-1, 1], size=(9_000, DIMS))
    bits, offsets = np.packbits(rows > 0, axis=1), np.arange(0, 9_001, 1_000, dtype=np.int64)
    tokens = random.normal(size=(4, DIMS)).astype(np.float32)
    weights = np.ones(4, dtype=np.float32)

    together = max_similarity(bits, offsets, tokens, weights)

    ends = np.array([0, 1_000], dtype=np.int64)
    alone = [
        max_similarity(bits[b : b + 1_000], ends, tokens, weights)[0]
        for b in range(0, 9_000, 1_000)
    ]
    assert together == pytest.approx(alone)


def test_a_memory_with_the_very_words_scores_one() -> None:
    pool = pool_of(Member(id="a", tokens=[signs(1, 2), signs(3)]), Member(id="b", tokens=[signs()]))

    part = late(pool, query_of(tokens=[signs(1, 2), signs(3)]))

    assert part.values[0] == pytest.approx(1.0)
    assert part.values[1] < 1


def test_words_without_weight_are_not_looked_for() -> None:
    pool = pool_of(Member(id="a", tokens=[signs(1)]))

    part = late(pool, query_of(tokens=[signs(1), signs(2, 9)], weights=[1.0, 0.0]))

    assert part.values[0] == pytest.approx(1.0)


def test_it_does_not_apply_without_token_vectors() -> None:
    pool = pool_of(Member(id="a", tokens=[signs(1)]), Member(id="b"))

    with_tokens = late(pool, query_of(tokens=[signs(1)]))
    without = late(pool, query_of())

    assert with_tokens.applies.tolist() == [True, False]
    assert not without.applies.any()
