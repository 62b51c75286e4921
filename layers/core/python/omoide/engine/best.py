"""The rows with the greatest scores, without sorting all of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_LARGE = 2_048
_SAMPLE_STEP = 16


def best_rows(scores: NDArray[Any], count: int) -> NDArray[np.int64]:
    """Return the places of the ``count`` greatest scores, in no order.

    Of a large array a sample gives a threshold that is then verified: exact, and much cheaper
    than a full partition.
    """
    if count >= len(scores):
        return np.arange(len(scores), dtype=np.int64)
    if count <= 0:
        return np.zeros(0, dtype=np.int64)
    if len(scores) > _LARGE:
        sample = scores[::_SAMPLE_STEP]
        kept = min(len(sample), max(2, count // (_SAMPLE_STEP // 2)))
        threshold = np.partition(sample, len(sample) - kept)[len(sample) - kept]
        places = np.flatnonzero(scores >= threshold)
        if count <= len(places) < len(scores) // 2:
            return places[_partitioned(scores[places], count)]
    return _partitioned(scores, count)


def _partitioned(scores: NDArray[Any], count: int) -> NDArray[np.int64]:
    if count >= len(scores):
        return np.arange(len(scores), dtype=np.int64)
    return np.argpartition(scores, len(scores) - count)[len(scores) - count :]
