"""The document of a memory."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.engine.codec import decode
from omoide.engine.entries import check_scoring
from omoide.engine.text import text_hash
from omoide.engine.times import NEVER, microseconds, microseconds_or
from omoide.ports.pending_writes import MemoryRef

_MAX_COUNT = 255


def routing_of(namespace: str) -> str:
    """What brings all memories of a namespace to one shard."""
    return text_token(namespace)


def text_token(text: str) -> str:
    """A short token that stands for a string of a caller."""
    return f"{text_hash(text):016x}"


def term_token(term: int) -> str:
    """The token of an analysed term."""
    return f"{term:016x}"


def place_token(session: str, turn: int) -> str:
    """The token of a turn of a session."""
    return f"{text_token(session)}:{turn}"


def place_of(token: str) -> tuple[str, int]:
    """The token of the session and the turn: the inverse of `place_token`."""
    session, _, turn = token.rpartition(":")
    return session, int(turn)


def document_of(memory: MemoryRef, payload: bytes, *, revision: str, dims: int) -> dict[str, Any]:
    """Return the document of scoring data.

    Strings of callers are hashed: the index can compare them and never tell them.

    Args:
        memory: The memory.
        payload: Its scoring data, `omoide.engine.codec.encode`.
        revision: Vectors of another revision stay out.
        dims: Length of a vector.

    Raises:
        UnreadableScoringError: The scoring data cannot be read.
    """
    check_scoring(payload)
    scoring = decode(payload, memory_id=memory.memory_id, namespace=memory.namespace)
    is_ours = scoring.revision == revision and scoring.vectors.shape[1] == dims
    document = {
        "memory_id": memory.memory_id,
        "namespace": memory.namespace,
        **_columns(scoring),
        "session": _token_or_none(scoring.session_id),
        "turn": scoring.turn,
        "place": _place(scoring),
        "agent": _token_or_none(scoring.agent_id),
        "user": _token_or_none(scoring.user_id),
        "speaker": _token_or_none(scoring.speaker),
        "tags": [text_token(tag) for tag in scoring.tags],
        "own": " ".join(term_token(key) for key in scoring.own_terms.keys.tolist()),
        "own_length": scoring.own_terms.length,
        "context_length": scoring.own_terms.length + scoring.context_terms.length,
        "words": _words(scoring.own_terms, scoring.context_terms),
        "payload": base64.b64encode(payload).decode("ascii"),
        "chunks": [{"vector": v.tolist()} for v in _chunks(scoring.vectors, is_ours=is_ours)],
    }
    return {name: value for name, value in document.items() if value is not None}


def _columns(scoring: ScoringData) -> dict[str, Any]:
    return {
        "memory_type": scoring.memory_type.value,
        "status": scoring.status.value,
        "layer": None if scoring.layer is None else scoring.layer.value,
        "pinned": scoring.pinned,
        "importance": scoring.importance,
        "confidence": scoring.confidence,
        "event_time": microseconds(scoring.event_time),
        "invalidated_at": microseconds_or(scoring.invalidated_at, NEVER),
        "expires_at": microseconds_or(scoring.expires_at, NEVER),
    }


def _token_or_none(text: str | None) -> str | None:
    return None if text is None else text_token(text)


def _place(scoring: ScoringData) -> str | None:
    if scoring.session_id is None or scoring.turn is None:
        return None
    return place_token(scoring.session_id, scoring.turn)


def _words(own: TermCounts, context: TermCounts) -> str:
    """Every term as often as memory and previous turn have it."""
    counts: dict[int, int] = dict(zip(own.keys.tolist(), own.counts.tolist(), strict=True))
    for key, count in zip(context.keys.tolist(), context.counts.tolist(), strict=True):
        counts[key] = min(_MAX_COUNT, counts.get(key, 0) + count)
    return " ".join(term_token(key) for key, count in counts.items() for _ in range(count))


def _chunks(vectors: NDArray[np.float16], *, is_ours: bool) -> NDArray[np.float32]:
    """The vectors that have a direction."""
    if not is_ours:
        return np.zeros((0, 0), dtype=np.float32)
    single = vectors.astype(np.float32)
    return single[np.isfinite(single).all(axis=1) & (single != 0).any(axis=1)]
