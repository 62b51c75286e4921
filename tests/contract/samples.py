"""Memories, scoring data and changes to vary in tests of adapters."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.adapters.fake import FakeEmbedder
from omoide.domain.analysis import analyse, asks, is_question, query_terms, scripts_of
from omoide.domain.candidates import NominationRequest
from omoide.domain.change_words import tells_change
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.domain.told_time import tells_time
from omoide.ports.embedder import Passage
from omoide.ports.memory_records import MemoryChange, Operation

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
DIMS = 64
EMBEDDER = FakeEmbedder(dims=DIMS)
REVISION = EMBEDDER.profile.revision
NO_TERMS = TermCounts(keys=np.zeros(0, np.uint64), counts=np.zeros(0, np.uint8))
EVERYTHING = MemoryFilter(statuses=())


def memory_of(memory_id: str, content: str = "Hanako likes tea.", **fields: Any) -> Memory:
    """A plain memory with other values."""
    plain = Memory(
        id=memory_id,
        namespace="team/a",
        content=content,
        created_at=NOW,
        updated_at=NOW,
        stored_at=NOW,
        event_time=NOW,
    )
    return replace(plain, **fields)


def scoring_of(memory: Memory, previous: str = "", **fields: Any) -> ScoringData:
    """What an embedder and the analysis make of a memory."""
    encoding = EMBEDDER.embed_passages([Passage(text=memory.content, context=previous)])[0]
    scoring = ScoringData(
        memory_id=memory.id,
        namespace=memory.namespace,
        version=memory.version,
        revision=REVISION,
        vectors=encoding.vectors.astype(np.float16),
        token_bits=encoding.token_bits,
        own_terms=analyse(memory.content),
        context_terms=analyse(previous) if previous else NO_TERMS,
        asks=asks(memory.content),
        is_question=is_question(memory.content),
        changes=tells_change(memory.content),
        tells_time=tells_time(memory.content, said_at=memory.event_time),
        scripts=int(scripts_of(memory.content)),
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
    return replace(scoring, **fields)


def creation_of(memory: Memory, previous: str = "", **fields: Any) -> MemoryChange:
    """The change that stores a new memory."""
    scoring = scoring_of(memory, previous)
    return MemoryChange(memory=memory, expected_version=None, scoring=scoring, **fields)


def update_of(memory: Memory, **fields: Any) -> MemoryChange:
    """The change that gives a stored memory other values and the next version."""
    changed = replace(memory, version=memory.version + 1, **fields)
    return MemoryChange(
        memory=changed, expected_version=memory.version, scoring=scoring_of(changed)
    )


def deletion_of(memory: Memory, at: datetime = NOW) -> MemoryChange:
    """The change that deletes a stored memory."""
    tombstone = replace(memory, version=memory.version + 1, deleted_at=at)
    return MemoryChange(memory=tombstone, expected_version=memory.version, scoring=None)


def operation_of(key: str = "op-1", **fields: Any) -> Operation:
    """A recorded operation."""
    values: dict[str, Any] = {
        "principal": "key-1",
        "name": "store_memory",
        "request_hash": "0" * 64,
        "memory_id": "m1",
        "outcome": "created",
        "expires_at": NOW + timedelta(hours=24),
    }
    return Operation(key=key, **(values | fields))


def vector_of(text: str) -> NDArray[np.float32]:
    """The query vector of a text."""
    vector = EMBEDDER.embed_query(text).vector
    assert vector is not None
    return vector


def request_of(text: str, **fields: Any) -> NominationRequest:
    """What a search for a text asks of an index."""
    values: dict[str, Any] = {
        "namespace": "team/a",
        "where": MemoryFilter(),
        "vector": vector_of(text),
        "terms": query_terms(text),
        "pool": 100,
        "revision": REVISION,
    }
    return NominationRequest(**(values | fields))
