"""Inner products of one query with many half-precision vectors, as fast as the machine can."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Dots = Callable[[NDArray[np.float32], NDArray[np.float16]], NDArray[np.float32]]

_CHUNK = 4_096
_FEW = 2_048
_TOLERANCE = 1e-2


def dots(query: NDArray[np.float32], vectors: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return ``(n,)`` inner products, the query rounded to half precision (error < 1e-3).

    Args:
        query: ``(dims,)``.
        vectors: ``(n, dims)``, possibly a mapped file.
    """
    if len(vectors) <= _FEW:
        return exact_dots(query.astype(np.float16).astype(np.float32), vectors)
    return _fastest()(query, vectors)


def exact_dots(query: NDArray[np.float32], vectors: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return ``(n,)`` inner products in single precision, a block of rows at a time."""
    products = np.empty(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), _CHUNK):
        block = vectors[start : start + _CHUNK]
        np.matmul(block.astype(np.float32), query, out=products[start : start + len(block)])
    return products


@lru_cache(maxsize=1)
def _fastest() -> Dots:
    """SIMD kernels where they can be loaded and count right, numpy elsewhere."""
    try:
        from numkong import cdist
    except ImportError:
        return exact_dots

    def simd_dots(query: NDArray[np.float32], vectors: NDArray[np.float16]) -> NDArray[np.float32]:
        halved = query.astype(np.float16)[np.newaxis]
        return np.asarray(cdist(halved, vectors, metric="dot"), dtype=np.float32)[0]

    sample = np.linspace(-1, 1, 64 * 64, dtype=np.float32).reshape(64, 64).astype(np.float16)
    query = sample[5].astype(np.float32)
    try:
        is_right = np.allclose(
            simd_dots(query, sample), exact_dots(query, sample), atol=_TOLERANCE, rtol=_TOLERANCE
        )
    except (TypeError, ValueError, RuntimeError):
        return exact_dots
    return simd_dots if is_right else exact_dots
