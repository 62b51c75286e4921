"""Late interaction: each word of the query with the word of the memory that fits it best.

``sum_t w_t * max_d cos(q_t, d) / sum_t w_t`` (MaxSim; Khattab and Zaharia 2020, ColBERT). Memories
keep only the signs of their token vectors; a vector of signs over the root of its length is a unit
vector.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import scaled, shares_script
from omoide.domain.ranking.stage import Part, Values

_BLOCK_TOKENS = 1_024
_BYTES = np.arange(256, dtype=np.uint8)[:, np.newaxis]
_SIGNS = np.unpackbits(_BYTES, axis=1).astype(np.float32) * 2 - 1
"""``(256, 8)`` the eight signs of every byte: looking them up is faster than unpacking."""


def late_interaction(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score a pool by MaxSim, on the model's scale."""
    lengths = np.diff(pool.token_offsets)
    counts = query.token_weights > 0
    applies = (lengths > 0) & bool(counts.any())
    values = np.zeros(len(pool.ids))
    if applies.any():
        raw = max_similarity(
            pool.token_bits, pool.token_offsets, query.tokens[counts], query.token_weights[counts]
        )
        model = query.model
        same = shares_script(pool, query)
        values = np.where(applies, scaled(raw, model.late, model.late_cross_script, same), 0.0)
    return Part(values=values, applies=applies)


def max_similarity(
    token_bits: NDArray[np.uint8],
    token_offsets: NDArray[np.int64],
    tokens: NDArray[np.float32],
    weights: NDArray[np.float32],
) -> Values:
    """Return ``(n,)`` MaxSim of a query with each text, in blocks of bounded memory.

    Args:
        token_bits: ``(t, dims // 8)`` uint8 signs of all texts' tokens.
        token_offsets: ``(n + 1,)`` int64 where each text's tokens begin.
        tokens: ``(m, dims)`` float32 query token vectors.
        weights: ``(m,)`` float32 positive weights.

    Returns:
        ``(n,)`` float64; 0 for a text without tokens.
    """
    result = np.zeros(len(token_offsets) - 1)
    share = weights.astype(np.float64) / weights.sum(dtype=np.float64)
    scaled_tokens = np.ascontiguousarray(tokens.T) / np.float32(math.sqrt(tokens.shape[1]))
    for rows in _blocks(token_offsets):
        first, last = token_offsets[rows[0]], token_offsets[rows[-1] + 1]
        cosines = signs_of(token_bits[first:last]) @ scaled_tokens
        best = np.maximum.reduceat(cosines, token_offsets[rows] - first, axis=0)
        result[rows] = best.astype(np.float64) @ share
    return result


def signs_of(token_bits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return ``(t, dims)`` float32 +1 and -1 of ``(t, dims // 8)`` packed signs."""
    return np.take(_SIGNS, token_bits, axis=0).reshape(len(token_bits), -1)


def _blocks(token_offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of texts with tokens, each time with not much over a block of tokens."""
    rows = np.flatnonzero(np.diff(token_offsets))
    block = (token_offsets[rows] - token_offsets[0]) // _BLOCK_TOKENS
    bounds = np.flatnonzero(np.diff(block)) + 1
    yield from (part for part in np.split(rows, bounds) if len(part))
