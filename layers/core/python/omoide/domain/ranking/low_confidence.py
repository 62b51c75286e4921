"""Telling that nothing found is likely to answer the query.

A rule over the parts of the best results, fitted on the development questions that have no answer;
docs/ranking.md gives its measured precision and recall.
"""

import numpy as np

from omoide.domain.ranking.ranker import Ranked

_BEST = 3
_LATE_BELOW = 0.45
_LEXICAL_BELOW = 0.25


def is_low_confidence(ranked: Ranked) -> bool:
    """Whether the best results match the query neither by meaning nor by words."""
    rows = ranked.order[:_BEST]
    if not len(rows):
        return True
    late = _best(ranked, "late", rows.tolist())
    lexical = _best(ranked, "lexical", rows.tolist())
    if late is None:
        return lexical is None or lexical < _LEXICAL_BELOW
    return late < _LATE_BELOW and (lexical is None or lexical < _LEXICAL_BELOW)


def _best(ranked: Ranked, name: str, rows: list[int]) -> float | None:
    for weighted in ranked.relevance.parts:
        if weighted.name == name:
            values = [weighted.part.values[i] for i in rows if weighted.part.applies[i]]
            return float(np.max(values)) if values else None
    return None
