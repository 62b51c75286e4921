"""Inner products of one query with many half-precision vectors, as fast as the machine can."""

import sys
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_Queries = NDArray[np.float16]
_Vectors = NDArray[np.float16]
_Products = NDArray[np.float32]

_CHUNK = 4_096
_FEW = 512
_TOLERANCE = 1e-2


def dots(query: NDArray[np.float32], vectors: _Vectors) -> _Products:
    """Return ``(n,)`` inner products, the query rounded to half precision (error < 1e-3).

    Args:
        query: ``(dims,)``.
        vectors: ``(n, dims)``, possibly a mapped file.
    """
    rounded = query.astype(np.float16)[np.newaxis]
    return _kernel_for(len(vectors))(rounded, vectors)[0]


def exact_dots(query: NDArray[np.float32], vectors: _Vectors) -> _Products:
    """Return ``(n,)`` inner products in single precision.

    The query is split into two half-precision vectors, what rounding leaves and what it takes
    away, so that the kernel of `dots` serves (error < 1e-6).
    """
    rounded = query.astype(np.float16)
    halves = np.stack([rounded, (query - rounded).astype(np.float16)])
    return _kernel_for(len(vectors))(halves, vectors).sum(axis=0)


def _kernel_for(count: int) -> Callable[[_Queries, _Vectors], _Products]:
    """Numpy where loading the kernels would cost more than it gains."""
    if count <= _FEW and "numkong" not in sys.modules:
        return numpy_dots
    return fastest_kernel()


def numpy_dots(queries: _Queries, vectors: _Vectors) -> _Products:
    """Return ``(q, n)`` inner products in single precision, a block of vectors at a time."""
    wide = queries.astype(np.float32)
    products = np.empty((len(queries), len(vectors)), dtype=np.float32)
    for start in range(0, len(vectors), _CHUNK):
        block = vectors[start : start + _CHUNK]
        products[:, start : start + len(block)] = wide @ block.astype(np.float32).T
    return products


@lru_cache(maxsize=1)
def fastest_kernel() -> Callable[[_Queries, _Vectors], _Products]:
    """SIMD kernels where they can be loaded and count right, numpy elsewhere."""
    try:
        from numkong import cdist
    except ImportError:
        return numpy_dots

    def simd_dots(queries: _Queries, vectors: _Vectors) -> _Products:
        if not len(vectors):
            return np.zeros((len(queries), 0), dtype=np.float32)
        products = np.asarray(cdist(queries, vectors, metric="dot"), dtype=np.float32)
        return products.reshape(len(queries), len(vectors))

    sample = np.linspace(-1, 1, 64 * 64, dtype=np.float32).reshape(64, 64).astype(np.float16)
    try:
        found, right = simd_dots(sample[:2], sample), numpy_dots(sample[:2], sample)
    except (TypeError, ValueError, RuntimeError):
        return numpy_dots
    is_right = np.allclose(found, right, atol=_TOLERANCE, rtol=_TOLERANCE)
    return simd_dots if is_right else numpy_dots
