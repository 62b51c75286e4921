"""Who said it: the one speaker named in the query.

Speakers call each other by name, and every text begins with its speaker's. So a name in the query
is found in most memories, whoever is meant: single words leave the names of speakers out, and this
part alone says who spoke.
"""

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values


def speaker_named(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score 1 what the only speaker named in the query said, 0 what others said."""
    speakers = {s for s in pool.speakers if s}
    named = {s for s in speakers if _names(s).search(query.text)}
    if len(named) != 1:
        nothing = np.zeros(len(pool.ids))
        return Part(values=nothing, applies=nothing.astype(np.bool_))
    values = np.array([s in named for s in pool.speakers], dtype=np.float64)
    applies = np.array([s is not None for s in pool.speakers], dtype=np.bool_)
    return Part(values=values, applies=applies)


def without_names(pool: Pool, query: QueryFeatures) -> QueryFeatures:
    """Return the query with no weight on the names of the pool's speakers.

    A query of nothing but names keeps their weights.
    """
    if not len(query.token_spans):
        return query
    is_name = np.zeros(len(query.encoded_text) + 1, dtype=np.bool_)
    for speaker in {s for s in pool.speakers if s}:
        for found in _names(speaker).finditer(query.encoded_text):
            is_name[found.start() : found.end()] = True
    counts = np.concatenate([[0], np.cumsum(is_name)])
    starts, ends = query.token_spans.T
    named = 2 * (counts[ends] - counts[starts]) > ends - starts
    weights = np.where(named, np.float32(0), query.token_weights)
    return replace(query, token_weights=weights) if weights.any() else query


@lru_cache(maxsize=4_096)
def _names(speaker: str) -> re.Pattern[str]:
    """Match the name as a word; between letters of scripts without spaces, anywhere."""
    edge = r"(?<![^\W\d_])" if speaker[0].isascii() else ""
    end = r"(?![^\W\d_])" if speaker[-1].isascii() else ""
    return re.compile(edge + re.escape(speaker) + end)
