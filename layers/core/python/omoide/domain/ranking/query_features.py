"""What the ranking knows of a query."""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import Script
from omoide.domain.model_profile import ModelProfile
from omoide.domain.tense import Tense
from omoide.domain.time_words import TimeWindow


def _no_spans() -> NDArray[np.int64]:
    return np.zeros((0, 2), dtype=np.int64)


def _no_marks() -> NDArray[np.bool_]:
    return np.zeros(0, dtype=np.bool_)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFeatures:
    """A query, analysed and encoded.

    Attributes:
        text: As the caller wrote it.
        terms: ``(q,)`` uint64 distinct terms, in the order of the pool's columns.
        tokens: ``(m, dims)`` float32 token vectors, L2-normalised; ``(0, dims)`` without.
        token_weights: ``(m,)`` float32 weights of the token vectors.
        scripts: Scripts it is written in.
        model: Constants of the model that encoded it.
        now: Ages are counted from here.
        tense: Which state of things it asks for.
        encoded_text: The text that the token vectors are of, normalised by the model.
        token_spans: ``(m, 2)`` where each token vector begins and ends in it, in characters;
            ``(0, 2)`` where the model does not tell.
        windows: Times it speaks of.
        asks_when: It asks for a time.
        identifiers: ``(q,)`` bool, which of the terms are codes or numbers that stand for one
            thing.
    """

    text: str
    terms: NDArray[np.uint64]
    tokens: NDArray[np.float32]
    token_weights: NDArray[np.float32]
    scripts: Script
    model: ModelProfile
    now: datetime
    tense: Tense = Tense.OPEN
    encoded_text: str = ""
    token_spans: NDArray[np.int64] = field(default_factory=_no_spans)
    windows: tuple[TimeWindow, ...] = ()
    asks_when: bool = False
    identifiers: NDArray[np.bool_] = field(default_factory=_no_marks)
