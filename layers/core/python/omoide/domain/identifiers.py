"""Codes and numbers in a query that stand for one thing: an order, a room, a version."""

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import fold, term_key, terms_of
from omoide.domain.time_words import TimeWindow

_LEAST_DIGITS = 2
"""A single digit counts things more often than it names one."""


def identifier_terms(query: str, windows: tuple[TimeWindow, ...]) -> NDArray[np.uint64]:
    """Return ``(n,)`` keys of the terms of a query with two digits or more.

    Args:
        query: Any text.
        windows: The times it speaks of: their digits name no thing.
    """
    text = fold(query)
    for window in windows:
        text = text.replace(fold(window.text), " ")
    digits = {t: sum(c.isdigit() for c in t) for t in terms_of(text)}
    keys = [term_key(t) for t, count in digits.items() if count >= _LEAST_DIGITS]
    return np.array(keys, dtype=np.uint64)
