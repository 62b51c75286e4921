"""What the ranking knows of a query."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import Script
from omoide.domain.model_profile import ModelProfile
from omoide.domain.tense import Tense


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
    """

    text: str
    terms: NDArray[np.uint64]
    tokens: NDArray[np.float32]
    token_weights: NDArray[np.float32]
    scripts: Script
    model: ModelProfile
    now: datetime
    tense: Tense = Tense.OPEN
