"""Small pools, made by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import Script
from omoide.domain.candidates import FieldStatistics, Pool
from omoide.domain.model_profile import ModelProfile, Scale
from omoide.domain.ranking.query_features import QueryFeatures

UTC_ZONE = ZoneInfo("UTC")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
NOW_MS = round(NOW.timestamp() * 1000)
DAY_MS = 86_400_000
DIMS = 16
UNIT = Scale(floor=0.0, ceiling=1.0)
MODEL = ModelProfile(
    model_id="test",
    revision="1",
    dims=DIMS,
    max_tokens=64,
    has_token_vectors=True,
    dense=UNIT,
    dense_cross_script=UNIT,
    late=UNIT,
    late_cross_script=UNIT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One memory of a pool; ``tokens`` are rows of signs."""

    id: str
    dense: float = 0.5
    counts: tuple[int, ...] = (0,)
    length: int = 10
    tokens: Sequence[Sequence[int]] = ()
    session: str | None = None
    turn: int = -1
    speaker: str | None = None
    asks: bool = False
    is_question: bool = False
    changes: bool = False
    tells_time: bool = False
    scripts: Script = Script.LATIN
    pinned: bool = False
    importance: float = 0.5
    arousal: float = 0.0
    valence: float = 0.0
    age_days: float = 0.0
    arms: frozenset[str] = field(default_factory=lambda: frozenset({"dense", "lexical"}))


def pool_of(*members: Member, document_frequency: tuple[float, ...] | None = None) -> Pool:
    """The members as a pool of a namespace of ten memories."""
    bits = [_bits(m.tokens) for m in members]
    width = len(members[0].counts) if members else 1
    statistics = FieldStatistics(
        document_count=10,
        average_length=10.0,
        document_frequency=np.array(document_frequency or (1.0,) * width),
    )
    counts = np.array([m.counts for m in members], dtype=np.uint8).reshape(len(members), width)
    lengths = _column(members, "length", np.float32)
    created_at = np.array([NOW_MS - round(m.age_days * DAY_MS) for m in members], dtype=np.int64)
    return Pool(
        ids=[m.id for m in members],
        dense=_column(members, "dense", np.float32),
        by_dense=np.array(["dense" in m.arms for m in members], dtype=np.bool_),
        by_lexical=np.array(["lexical" in m.arms for m in members], dtype=np.bool_),
        own_counts=counts,
        context_counts=counts,
        own_lengths=lengths,
        context_lengths=lengths,
        own=statistics,
        context=statistics,
        token_bits=np.concatenate([*bits, np.zeros((0, DIMS // 8), dtype=np.uint8)]),
        token_offsets=np.cumsum([0, *map(len, bits)], dtype=np.int64),
        sessions=[m.session for m in members],
        speakers=[m.speaker for m in members],
        turns=_column(members, "turn", np.int64),
        asks=_column(members, "asks", np.bool_),
        is_question=_column(members, "is_question", np.bool_),
        changes=_column(members, "changes", np.bool_),
        tells_time=_column(members, "tells_time", np.bool_),
        scripts=np.array([int(m.scripts) for m in members], dtype=np.uint8),
        memory_types=np.ones(len(members), dtype=np.uint8),
        pinned=_column(members, "pinned", np.bool_),
        resolved=np.ones(len(members), dtype=np.bool_),
        importance=_column(members, "importance", np.float32),
        confidence=np.full(len(members), 0.5, dtype=np.float32),
        arousal=_column(members, "arousal", np.float32),
        valence=_column(members, "valence", np.float32),
        created_at=created_at,
        event_time=created_at,
        last_activated_at=np.full(len(members), -1, dtype=np.int64),
    )


def query_of(
    text: str = "words",
    *,
    tokens: Sequence[Sequence[float]] = (),
    weights: Sequence[float] | None = None,
    scripts: Script = Script.LATIN,
    model: ModelProfile = MODEL,
    terms: int = 1,
) -> QueryFeatures:
    """A query with token vectors given as rows, normalised here."""
    rows = np.array(tokens, dtype=np.float32).reshape(len(tokens), DIMS)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return QueryFeatures(
        text=text,
        terms=np.arange(terms, dtype=np.uint64),
        tokens=rows,
        token_weights=np.array(weights or [1.0] * len(tokens), dtype=np.float32),
        scripts=scripts,
        model=model,
        now=NOW,
    )


def signs(*positive: int) -> list[int]:
    """A row of signs: +1 at the given places, -1 elsewhere."""
    return [1 if i in positive else -1 for i in range(DIMS)]


def _bits(rows: Sequence[Sequence[int]]) -> NDArray[np.uint8]:
    return np.packbits(np.array(rows, dtype=np.int8).reshape(len(rows), DIMS) > 0, axis=1)


def _column(members: Sequence[Member], name: str, kind: Any) -> NDArray[Any]:
    return np.array([getattr(m, name) for m in members], dtype=kind)
