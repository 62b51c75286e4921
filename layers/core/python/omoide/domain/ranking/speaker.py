"""Who said it: the one speaker named in the query."""

import re
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


@lru_cache(maxsize=4_096)
def _names(speaker: str) -> re.Pattern[str]:
    """Match the name as a word; between letters of scripts without spaces, anywhere."""
    edge = r"(?<![^\W\d_])" if speaker[0].isascii() else ""
    end = r"(?![^\W\d_])" if speaker[-1].isascii() else ""
    return re.compile(edge + re.escape(speaker) + end)
