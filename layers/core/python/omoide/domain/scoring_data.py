"""What ranking keeps of a memory: vectors, terms and filter columns."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from omoide.domain.memory import Layer, MemoryType, Status

MAX_OWN_TERMS = 20_000
MAX_CONTEXT_TERMS = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """The analysed terms of a text.

    Attributes:
        keys: ``(n,)`` uint64, strictly ascending 64-bit hashes of the terms.
        counts: ``(n,)`` uint8, occurrences, at most 255.
    """

    keys: NDArray[np.uint64]
    counts: NDArray[np.uint8]

    @property
    def length(self) -> int:
        """Number of term occurrences, the document length of BM25."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringData:
    """Scoring data of one memory under one model revision; rewritten with the record.

    Attributes:
        memory_id: The memory.
        namespace: Its namespace.
        version: The record version it was computed from.
        revision: Revision of the embedding model.
        vectors: ``(chunks, dims)`` float16, L2-normalised.
        token_bits: ``(tokens, dims // 8)`` uint8, signs of centred token vectors.
        own_terms: Terms of the memory.
        context_terms: Terms of the previous turn of its session.
        asks: The text contains a question mark.
        is_question: The text ends in a question mark.
        changes: The text tells that something has changed.
        tells_time: The text speaks of a time: a date, a day, "last week".
        scripts: Bit set of `omoide.domain.analysis.Script`: scripts the text is written in.
    """

    memory_id: str
    namespace: str
    version: int
    revision: str
    vectors: NDArray[np.float16]
    token_bits: NDArray[np.uint8]
    own_terms: TermCounts
    context_terms: TermCounts
    asks: bool
    is_question: bool
    changes: bool
    tells_time: bool
    scripts: int

    memory_type: MemoryType
    status: Status
    layer: Layer | None
    pinned: bool
    resolved: bool
    importance: float
    confidence: float
    arousal: float
    valence: float
    created_at: datetime
    event_time: datetime
    invalidated_at: datetime | None
    expires_at: datetime | None
    last_activated_at: datetime | None
    session_id: str | None
    turn: int | None
    speaker: str | None
    agent_id: str | None
    user_id: str | None
    tags: tuple[str, ...]
