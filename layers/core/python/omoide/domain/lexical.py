"""BM25 with the length quantisation of Lucene, so that every engine means the same score."""

import numpy as np
from numpy.typing import NDArray

K1 = 0.9
B = 0.4


def _quantise(length: int) -> int:
    """Round a length down to four significant bits above 40 (Lucene's SmallFloat.intToByte4)."""
    if length < 40:
        return length
    surplus = length - 24
    shift = max(0, surplus.bit_length() - 4)
    return 24 + (surplus >> shift << shift)


_TABLE_SIZE = 4_096
_TABLE = np.array([_quantise(length) for length in range(_TABLE_SIZE)], dtype=np.float32)


def quantised_length(lengths: NDArray[np.integer | np.floating]) -> NDArray[np.float32]:
    """Return document lengths as Lucene's one-byte norms keep them.

    Args:
        lengths: ``(n,)`` lengths in terms, whole numbers.
    """
    whole = np.asarray(lengths, dtype=np.int64)
    quantised = _TABLE[np.minimum(whole, _TABLE_SIZE - 1)]
    for i in np.flatnonzero(whole >= _TABLE_SIZE):
        quantised[i] = _quantise(int(whole[i]))
    return quantised


def inverse_document_frequency(
    document_count: int, document_frequency: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ``ln(1 + (N - df + .5) / (df + .5))`` of each term, never negative (Lucene)."""
    df = np.minimum(document_frequency, document_count)
    return np.log1p((document_count - df + 0.5) / (df + 0.5))
