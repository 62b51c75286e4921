"""Across languages the best match vouches for those like it.

Texts of one language compare better than texts of two. So of the memories in other scripts than the
query's, the one that matches best lends its match to the others, by late interaction with its own
words (pseudo-relevance feedback; Rocchio 1971), cheap as it looks at no memory in the query's own
script. Within one script this gains nothing (docs/ranking.md).
"""

import math

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.ranking.late_interaction import max_similarity, signs_of
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.scale import shares_script
from omoide.domain.ranking.stage import Part, Values

_SEED_TOKENS = 64
"""Words of the best match that are compared; of a long text its first."""


def association(pool: Pool, query: QueryFeatures, match: Values) -> Part:
    """Score likeness to the best match across scripts, times that match."""
    values = np.zeros(len(pool.ids))
    lengths = np.diff(pool.token_offsets)
    applies = ~shares_script(pool, query) & (lengths > 0)
    rows = np.flatnonzero(applies)
    if len(rows) > 1:
        seed = int(rows[np.argmax(match[rows])])
        strength = float(match[seed])
        others = rows[rows != seed]
        if strength > 0:
            values[others] = np.clip(_likeness(pool, query, seed, others), 0.0, 1.0) * strength
    return Part(values=values, applies=applies)


def _likeness(pool: Pool, query: QueryFeatures, seed: int, others: NDArray[np.int64]) -> Values:
    begin = int(pool.token_offsets[seed])
    end = min(int(pool.token_offsets[seed + 1]), begin + _SEED_TOKENS)
    signs = signs_of(pool.token_bits[begin:end])
    tokens = signs / np.float32(math.sqrt(signs.shape[1]))
    bits = [pool.token_bits[pool.token_offsets[i] : pool.token_offsets[i + 1]] for i in others]
    offsets = np.cumsum([0, *(len(b) for b in bits)], dtype=np.int64)
    weights = np.ones(len(tokens), dtype=np.float32)
    raw = max_similarity(np.concatenate(bits), offsets, tokens, weights)
    scale = query.model.late
    return (raw - scale.floor) / (scale.ceiling - scale.floor)
