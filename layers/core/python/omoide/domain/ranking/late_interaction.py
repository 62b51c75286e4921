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
from omoide.domain.ranking.stage import Part, Values, WordMatches

_BLOCK_TOKENS = 1_024
_BYTES = np.arange(256, dtype=np.uint8)[:, np.newaxis]
_SIGNS = np.unpackbits(_BYTES, axis=1).astype(np.float32) * 2 - 1
"""``(256, 8)`` the eight signs of every byte: looking them up is faster than unpacking."""


def compare_words(pool: Pool, query: QueryFeatures) -> WordMatches:
    """Look for each word of a query in each memory of a pool."""
    counts = query.token_weights > 0
    tokens, weights = query.tokens[counts], query.token_weights[counts]
    held = np.diff(pool.token_offsets) > 0
    if not len(weights) or not held.any():
        nothing = np.zeros((len(pool.ids), len(weights)), dtype=np.float32)
        return WordMatches(best=nothing, weights=weights, held=np.zeros_like(held))
    best = best_cosines(pool.token_bits, pool.token_offsets, tokens)
    return WordMatches(best=best, weights=weights, held=held)


def late_interaction(pool: Pool, query: QueryFeatures, words: WordMatches) -> Part:
    """Score a pool by MaxSim, on the model's scale."""
    return share_of_words(words.best, pool, query, words)


def share_of_words(
    best: NDArray[np.float32], pool: Pool, query: QueryFeatures, words: WordMatches
) -> Part:
    """Score weighted means of cosines, on the model's scale.

    Args:
        best: ``(n, m)`` cosines, those of ``words`` or of what surrounds the memories as well.
        pool: The pool.
        query: The query.
        words: Tells the weights.
    """
    if not words.held.any():
        return Part(values=np.zeros(len(pool.ids)), applies=words.held)
    raw = best.astype(np.float64) @ _shares(words.weights)
    model = query.model
    values = scaled(raw, model.late, model.late_cross_script, shares_script(pool, query))
    return Part(values=np.where(words.held, values, 0.0), applies=words.held)


def max_similarity(
    token_bits: NDArray[np.uint8],
    token_offsets: NDArray[np.int64],
    tokens: NDArray[np.float32],
    weights: NDArray[np.float32],
) -> Values:
    """Return ``(n,)`` MaxSim of a query with each text.

    Args:
        token_bits: ``(t, dims // 8)`` uint8 signs of all texts' tokens.
        token_offsets: ``(n + 1,)`` int64 where each text's tokens begin.
        tokens: ``(m, dims)`` float32 query token vectors.
        weights: ``(m,)`` float32 positive weights.

    Returns:
        ``(n,)`` float64; 0 for a text without tokens.
    """
    best = best_cosines(token_bits, token_offsets, tokens)
    return best.astype(np.float64) @ _shares(weights)


def best_cosines(
    token_bits: NDArray[np.uint8],
    token_offsets: NDArray[np.int64],
    tokens: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return ``(n, m)`` the best cosine of each query token in each text.

    It is worked out in blocks of bounded memory.

    Args:
        token_bits: ``(t, dims // 8)`` uint8 signs of all texts' tokens.
        token_offsets: ``(n + 1,)`` int64 where each text's tokens begin.
        tokens: ``(m, dims)`` float32 query token vectors.

    Returns:
        ``(n, m)`` float32; 0 for a text without tokens.
    """
    result = np.zeros((len(token_offsets) - 1, len(tokens)), dtype=np.float32)
    scaled_tokens = np.ascontiguousarray(tokens.T) / np.float32(math.sqrt(tokens.shape[1]))
    for rows in _blocks(token_offsets):
        first, last = token_offsets[rows[0]], token_offsets[rows[-1] + 1]
        cosines = signs_of(token_bits[first:last]) @ scaled_tokens
        result[rows] = np.maximum.reduceat(cosines, token_offsets[rows] - first, axis=0)
    return result


def _shares(weights: NDArray[np.float32]) -> Values:
    return weights.astype(np.float64) / weights.sum(dtype=np.float64)


def signs_of(token_bits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return ``(t, dims)`` float32 +1 and -1 of ``(t, dims // 8)`` packed signs."""
    return np.take(_SIGNS, token_bits, axis=0).reshape(len(token_bits), -1)


def _blocks(token_offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of texts with tokens, each time with not much over a block of tokens."""
    rows = np.flatnonzero(np.diff(token_offsets))
    block = (token_offsets[rows] - token_offsets[0]) // _BLOCK_TOKENS
    bounds = np.flatnonzero(np.diff(block)) + 1
    yield from (part for part in np.split(rows, bounds) if len(part))
