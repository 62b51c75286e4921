"""Inner products by whichever kernel."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide.engine.dots import dots, exact_dots, fastest_kernel, numpy_dots


@pytest.fixture
def kernels_forgotten() -> Iterator[None]:
    fastest_kernel.cache_clear()
    yield
    fastest_kernel.cache_clear()


def unit_rows(count: int, dims: int, seed: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, dims), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)


@pytest.mark.parametrize("dims", [8, 64, 384])
@pytest.mark.parametrize("count", [0, 1, 2, 100, 600, 9_000])
def test_products_are_right_for_any_number_of_vectors(count: int, dims: int) -> None:
    vectors = unit_rows(count, dims, 1).astype(np.float16)
    query = unit_rows(1, dims, 2)[0]
    right = vectors.astype(np.float64) @ query.astype(np.float64)

    assert dots(query, vectors).shape == (count,)
    np.testing.assert_allclose(dots(query, vectors), right, atol=1e-3)
    np.testing.assert_allclose(exact_dots(query, vectors), right, atol=2e-6)


def test_both_kernels_agree() -> None:
    vectors = unit_rows(1_000, 384, 3).astype(np.float16)
    queries = unit_rows(2, 384, 4).astype(np.float16)

    found = fastest_kernel()(queries, vectors)

    np.testing.assert_allclose(found, numpy_dots(queries, vectors), atol=1e-5)


@pytest.mark.usefixtures("kernels_forgotten")
def test_numpy_takes_over_where_the_kernels_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numkong", None)

    assert fastest_kernel() is numpy_dots
