"""The greatest scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.engine.best import best_rows


@given(st.lists(st.integers(-5, 5), max_size=60), st.integers(0, 70))
def test_the_best_are_the_best(scores: list[int], count: int) -> None:
    found: list[int] = best_rows(np.array(scores, dtype=np.float32), count).tolist()

    assert len(set(found)) == len(found)
    assert sorted(scores[i] for i in found) == sorted(scores, reverse=True)[:count][::-1]


@pytest.mark.parametrize("kind", ["random", "equal", "few", "sorted", "zeros"])
@pytest.mark.parametrize("count", [1, 7, 100, 9_000])
def test_the_best_of_many_are_the_best(kind: str, count: int) -> None:
    random = np.random.default_rng(0)
    scores = {
        "random": random.random(20_000),
        "equal": np.full(20_000, 0.5),
        "few": np.where(random.random(20_000) < 0.001, random.random(20_000), 0.0),
        "sorted": np.arange(20_000) / 20_000,
        "zeros": np.zeros(20_000),
    }[kind].astype(np.float32)

    found = best_rows(scores, count)

    assert len(np.unique(found)) == count
    assert np.array_equal(np.sort(scores[found]), np.sort(scores)[20_000 - count :])
