"""How alike memories are to each other, word by word.

The late interaction of two memories is taken in both directions, on the model's scale: 0 as alike
as unrelated texts can be, 1 as a text and its paraphrase. Memories keep the signs of their words.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.model_profile import ModelProfile
from omoide.domain.ranking.late_interaction import signs_of
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Values

_TOKENS = 48
"""Words of a memory that are compared; of a long text its first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Words of ``m`` memories.

    Attributes:
        tokens: ``(t, dims)`` float32 unit vectors, one memory after the other.
        bounds: ``(m,)`` where those of each begin.
        lengths: ``(m,)`` how many each has, at least 1.
        scripts: ``(m,)`` bit sets of the scripts they are written in.
        model: Has the scales.
    """

    tokens: NDArray[np.float32]
    bounds: NDArray[np.int64]
    lengths: NDArray[np.int64]
    scripts: NDArray[np.int64]
    model: ModelProfile


def texts_of(pool: Pool, rows: NDArray[np.int64], model: ModelProfile) -> Texts:
    """Return the words of rows that have any."""
    starts = pool.token_offsets[rows]
    lengths = np.minimum(pool.token_offsets[rows + 1] - starts, _TOKENS)
    bounds = np.cumsum(lengths) - lengths
    taken = np.repeat(starts - bounds, lengths) + np.arange(int(lengths.sum()))
    signs = signs_of(pool.token_bits[taken])
    return Texts(
        tokens=signs / np.float32(math.sqrt(signs.shape[1])),
        bounds=bounds,
        lengths=lengths,
        scripts=pool.scripts[rows].astype(np.int64),
        model=model,
    )


def alike(texts: Texts, some: NDArray[np.int64]) -> Values:
    """Return ``(k, m)`` how alike some of the texts are to all."""
    return _mean(texts, some, *_matches(texts, some))


def alike_and_focus(texts: Texts, count: int, query: QueryFeatures) -> tuple[Values, Values]:
    """Return ``(k, m)`` how alike the first texts are to all, and how alike their answers are.

    An answer are those words of a text that match the query's best.

    Args:
        texts: All texts.
        count: ``k``.
        query: Its words and their weights.
    """
    some = np.arange(count)
    best, back = _matches(texts, some)
    counts = query.token_weights > 0
    weights = query.token_weights[counts].astype(np.float64)
    matches = query.tokens[counts] @ texts.tokens[: len(best)].T
    focus = np.zeros((count, len(texts.bounds)))
    for text in some if len(weights) else ():
        start, end = texts.bounds[text], texts.bounds[text] + texts.lengths[text]
        matched = start + matches[:, start:end].argmax(axis=1)
        focus[text] = weights @ best[matched] / weights.sum()
    return _mean(texts, some, best, back), _scaled(texts, some, focus)


def _matches(
    texts: Texts, some: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the best matches of the words of some: ``(t, m)`` in all texts, ``(k, t)`` for all."""
    lengths = texts.lengths[some]
    bounds = np.cumsum(lengths) - lengths
    taken = np.repeat(texts.bounds[some] - bounds, lengths) + np.arange(int(lengths.sum()))
    cosines = texts.tokens[taken] @ texts.tokens.T
    forth = np.maximum.reduceat(cosines, texts.bounds, axis=1)
    return forth, np.maximum.reduceat(cosines, bounds, axis=0)


def _mean(
    texts: Texts,
    some: NDArray[np.int64],
    forth: NDArray[np.float32],
    back: NDArray[np.float32],
) -> Values:
    lengths = texts.lengths[some]
    bounds = np.cumsum(lengths) - lengths
    means = np.add.reduceat(forth, bounds, axis=0) / lengths[:, np.newaxis]
    means += np.add.reduceat(back, texts.bounds, axis=1) / texts.lengths
    return _scaled(texts, some, means / 2)


def _scaled(texts: Texts, some: NDArray[np.int64], raw: NDArray[np.floating]) -> Values:
    """Map likeness to the model's scale of late interaction, pairs across scripts to their own."""
    mine = texts.scripts[some, np.newaxis]
    is_same = ((mine & texts.scripts) != 0) | (mine == 0) | (texts.scripts == 0)
    same, cross = texts.model.late, texts.model.late_cross_script
    floor = np.where(is_same, same.floor, cross.floor)
    ceiling = np.where(is_same, same.ceiling, cross.ceiling)
    return (raw.astype(np.float64) - floor) / (ceiling - floor)
