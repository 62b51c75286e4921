"""Scoring data of memories: what the index keeps of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

import numpy as np

from omoide.domain.analysis import analyse, asks, is_question, scripts_of
from omoide.domain.change_words import tells_change
from omoide.domain.memory import Layer, Memory, MemoryType, Status
from omoide.domain.scoring_data import MAX_CONTEXT_TERMS, MAX_OWN_TERMS, ScoringData
from omoide.domain.told_time import tells_time
from omoide.ports.embedder import Embedder, Passage, PassageEncoding


class _Columns(TypedDict):
    version: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class InContext:
    """A memory and the previous turn of its session, if any."""

    memory: Memory
    previous: Memory | None = None


def scored_text(memory: Memory) -> str:
    """What is encoded and analysed: ``<speaker>: <content>``, unless content begins so."""
    if memory.speaker is None or memory.content.startswith(f"{memory.speaker}:"):
        return memory.content
    return f"{memory.speaker}: {memory.content}"


def score(embedder: Embedder, items: Sequence[InContext]) -> list[ScoringData]:
    """Scoring data of memories, encoded in one call of the embedder.

    Raises:
        ModelUnavailableError: The embedding model cannot be loaded.
    """
    if not items:
        return []
    encodings = embedder.embed_passages(
        [
            Passage(
                text=scored_text(item.memory),
                context="" if item.previous is None else scored_text(item.previous),
            )
            for item in items
        ]
    )
    revision = embedder.profile.revision
    return [_build(i, e, revision) for i, e in zip(items, encodings, strict=True)]


def with_columns_of(scoring: ScoringData, memory: Memory) -> ScoringData:
    """The same encoding and terms beside the present fields of the record."""
    return replace(scoring, **_columns(memory))


def _columns(memory: Memory) -> _Columns:
    """What scoring data copies from the record, to filter and weigh by."""
    return _Columns(
        version=memory.version,
        memory_type=memory.memory_type,
        status=memory.status,
        layer=memory.layer,
        pinned=memory.pinned,
        resolved=memory.resolved,
        importance=memory.importance,
        confidence=memory.confidence,
        arousal=memory.arousal or 0.0,
        valence=memory.valence or 0.0,
        created_at=memory.created_at,
        event_time=memory.event_time,
        invalidated_at=memory.invalidated_at,
        expires_at=memory.expires_at,
        last_activated_at=memory.last_activated_at,
        session_id=memory.session_id,
        turn=memory.turn,
        speaker=memory.speaker,
        agent_id=memory.agent_id,
        user_id=memory.user_id,
        tags=memory.tags,
    )


def _build(item: InContext, encoding: PassageEncoding, revision: str) -> ScoringData:
    memory, previous = item.memory, item.previous
    return ScoringData(
        memory_id=memory.id,
        namespace=memory.namespace,
        revision=revision,
        vectors=encoding.vectors.astype(np.float16),
        token_bits=encoding.token_bits,
        own_terms=analyse(scored_text(memory), limit=MAX_OWN_TERMS),
        context_terms=analyse(
            "" if previous is None else scored_text(previous), limit=MAX_CONTEXT_TERMS
        ),
        asks=asks(memory.content),
        is_question=is_question(memory.content),
        changes=tells_change(memory.content),
        tells_time=tells_time(memory.content, said_at=memory.event_time),
        scripts=int(scripts_of(memory.content)),
        **_columns(memory),
    )
