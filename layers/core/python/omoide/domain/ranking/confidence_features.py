"""What an answer tells of itself: how the words of the query are matched by the best memory.

A question that nothing answers comes in two kinds. On another topic, no memory matches it well. On
a known topic the best memory matches the words for the topic to the letter and those for what is
asked not at all, so its matches are spread wide; words compare better than the texts as wholes; and
the best stands out less from those behind it.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.asked_facts import asked_facts
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.ranker import Ranked
from omoide.domain.ranking.scale import shares_script
from omoide.domain.ranking.stage import Values
from omoide.domain.ranking.word_likeness import texts_of
from omoide.domain.stop_words import STOP_WORDS

_LOOKED_AT = 20
"""The best memories that may match a word of the query."""
_BEHIND = 5
_LIGHT = 0.5
"""Weight, in a word, of a piece that weighs nothing by itself."""
_WORD = re.compile(
    "[A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0400-\u052f0-9][A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0400-\u052f0-9._-]*"
    "|[\u4e00-\u9fff\u3005]+|[\u30a0-\u30ff]{2,}|[\uac00-\ud7af]+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceFeatures:
    """Features of one answer.

    Attributes:
        relevance: Unclipped relevance of the best.
        late: Its late interaction.
        found: Weighted mean over the words of the query of the best cosine in any of the best 20.
        lead: How much more relevant the best is than the mean of the five behind it, those that
            are missing counted as 0.
        spread: Weighted standard deviation of the cosines of the query's pieces in the best.
        word_spread: The same over whole words, unweighted.
        contrast: How much better the words of the best match than its text as a whole.
        across: 1 where the best shares no script with the query.
        facts: How many kinds of fact the query asks for.
        words: How many words of the query have a meaning.
    """

    relevance: float
    late: float
    found: float
    lead: float
    spread: float
    word_spread: float
    contrast: float
    across: float
    facts: float
    words: float


def confidence_features(ranked: Ranked) -> ConfidenceFeatures | None:
    """Return the features of a ranking; None where words or vectors are missing."""
    pool, query = ranked.pool, ranked.query
    parts = {p.name: p.part for p in ranked.relevance.parts}
    counts = query.token_weights > 0
    rows = ranked.order[np.diff(pool.token_offsets)[ranked.order] > 0][:_LOOKED_AT]
    if "late" not in parts or "dense" not in parts or not counts.any() or not len(rows):
        return None
    best = int(rows[0])
    texts = texts_of(pool, rows, query.model)
    cosines = np.maximum.reduceat(query.tokens @ texts.tokens.T, texts.bounds, axis=1)
    weights = query.token_weights[counts].astype(np.float64)
    weights /= weights.sum()
    mine, any_of_them = cosines[counts, 0].astype(np.float64), cosines[counts].max(axis=1)
    words = _word_matches(query, cosines[:, 0])
    relevance = ranked.relevance.unclipped
    late, dense = float(parts["late"].values[best]), float(parts["dense"].values[best])
    return ConfidenceFeatures(
        relevance=float(relevance[best]),
        late=late,
        found=float(weights @ any_of_them),
        lead=_lead(np.sort(relevance)[::-1]),
        spread=float(np.sqrt(weights @ (mine - weights @ mine) ** 2)),
        word_spread=float(words.std()) if len(words) else 0.0,
        contrast=late - dense,
        across=float(not shares_script(pool, query)[best]),
        facts=float(asked_facts(query.text)),
        words=float(len(words)),
    )


def _lead(ordered: Values) -> float:
    return float(ordered[0] - ordered[1 : 1 + _BEHIND].sum() / _BEHIND)


def _word_matches(query: QueryFeatures, cosines: NDArray[np.float32]) -> Values:
    """Return ``(w,)`` the weighted mean cosine of the pieces of each word with a meaning."""
    weights = np.maximum(query.token_weights, _LIGHT).astype(np.float64)
    starts, ends = query.token_spans[:, 0], query.token_spans[:, 1]
    found: list[float] = []
    for match in _WORD.finditer(query.encoded_text):
        pieces = np.flatnonzero((starts < match.end()) & (ends > match.start()) & (ends > starts))
        if len(pieces) and match.group().casefold().rstrip(".") not in STOP_WORDS:
            share = weights[pieces] / weights[pieces].sum()
            found.append(float(share @ cosines[pieces]))
    return np.array(found, dtype=np.float64)
