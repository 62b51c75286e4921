"""Turning nominated scoring data into the arrays of a pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from omoide.adapters.fake.state import milliseconds
from omoide.domain.candidates import FieldStatistics, NominationRequest, Pool
from omoide.domain.memory import MemoryType
from omoide.domain.scoring_data import ScoringData

_TYPE_CODES = {kind: code for code, kind in enumerate(MemoryType)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Nominee:
    """One member of the pool and how it got in.

    Attributes:
        scoring: Its scoring data.
        has_vectors: Whether that is of the revision asked for.
        dense: Cosine of the query with its best chunk, or NaN.
        is_dense: Nominated by the dense arm.
        is_lexical: Nominated by the lexical arm.
        own_counts: Occurrences of each query term in the memory.
        context_counts: The same in memory and previous turn together.
    """

    scoring: ScoringData
    has_vectors: bool
    dense: float
    is_dense: bool
    is_lexical: bool
    own_counts: list[int]
    context_counts: list[int]


def pool_of(
    nominees: Sequence[Nominee],
    request: NominationRequest,
    *,
    own: FieldStatistics,
    context: FieldStatistics,
) -> Pool:
    """Return the nominees as a pool."""
    data = [n.scoring for n in nominees]
    bits = [n.scoring.token_bits if n.has_vectors else _no_bits(request) for n in nominees]
    return Pool(
        ids=[s.memory_id for s in data],
        dense=np.array([n.dense for n in nominees], dtype=np.float32),
        by_dense=np.array([n.is_dense for n in nominees], dtype=np.bool_),
        by_lexical=np.array([n.is_lexical for n in nominees], dtype=np.bool_),
        own_counts=_matrix([n.own_counts for n in nominees], len(request.terms)),
        context_counts=_matrix([n.context_counts for n in nominees], len(request.terms)),
        own_lengths=np.array([s.own_terms.length for s in data], dtype=np.float32),
        context_lengths=np.array([_length(s) for s in data], dtype=np.float32),
        own=own,
        context=context,
        token_bits=np.concatenate([b for b in bits if len(b)] or [_no_bits(request)]),
        token_offsets=np.cumsum([0, *(len(b) for b in bits)], dtype=np.int64),
        sessions=[s.session_id for s in data],
        speakers=[s.speaker for s in data],
        turns=np.array([-1 if s.turn is None else s.turn for s in data], dtype=np.int64),
        asks=np.array([s.asks for s in data], dtype=np.bool_),
        is_question=np.array([s.is_question for s in data], dtype=np.bool_),
        changes=np.array([s.changes for s in data], dtype=np.bool_),
        tells_time=np.array([s.tells_time for s in data], dtype=np.bool_),
        scripts=np.array([s.scripts for s in data], dtype=np.uint8),
        memory_types=np.array([_TYPE_CODES[s.memory_type] for s in data], dtype=np.uint8),
        pinned=np.array([s.pinned for s in data], dtype=np.bool_),
        resolved=np.array([s.resolved for s in data], dtype=np.bool_),
        importance=np.array([s.importance for s in data], dtype=np.float32),
        confidence=np.array([s.confidence for s in data], dtype=np.float32),
        arousal=np.array([s.arousal for s in data], dtype=np.float32),
        valence=np.array([s.valence for s in data], dtype=np.float32),
        **_times_of(data),
    )


class _Times(TypedDict):
    created_at: NDArray[np.int64]
    event_time: NDArray[np.int64]
    last_activated_at: NDArray[np.int64]


def _times_of(data: Sequence[ScoringData]) -> _Times:
    return {
        "created_at": _times([s.created_at for s in data]),
        "event_time": _times([s.event_time for s in data]),
        "last_activated_at": _times([s.last_activated_at for s in data]),
    }


def _length(scoring: ScoringData) -> int:
    """Terms of memory and previous turn together."""
    return scoring.own_terms.length + scoring.context_terms.length


def _no_bits(request: NominationRequest) -> NDArray[np.uint8]:
    width = 0 if request.vector is None else len(request.vector) // 8
    return np.zeros((0, width), dtype=np.uint8)


def _matrix(rows: list[list[int]], width: int) -> NDArray[np.uint8]:
    return np.array(rows, dtype=np.uint8).reshape(len(rows), width)


def _times(times: Sequence[datetime | None]) -> NDArray[np.int64]:
    return np.array([milliseconds(t) for t in times], dtype=np.int64)
