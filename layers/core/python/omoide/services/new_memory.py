"""What a caller says of a memory to be stored, and what becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from omoide.domain.memory import (
    ContentType,
    JsonValue,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    VerificationStatus,
)
from omoide.domain.memory_view import MemoryView


class Dedupe(StrEnum):
    """How a new text is compared with what is there."""

    MERGE = "merge"
    EXACT = "exact"
    OFF = "off"


class Outcome(StrEnum):
    """What became of a text that was to be stored."""

    CREATED = "created"
    DUPLICATE = "duplicate"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    BACKFILLED = "backfilled"
    RESOLVED = "resolved"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory to be stored, as the caller gave it.

    Fields have the meaning and range of those of `omoide.domain.memory.Memory`; None stands for
    "not given". A naive time is UTC.

    Attributes:
        namespace: Where to store it; None means the principal's default namespace.
        turn: Place in the session; None in a session means the next one.
        dedupe: How it is compared with what is there.
    """

    content: str
    namespace: str | None = None
    memory_type: MemoryType | None = None
    memory_subtype: MemorySubtype | None = None
    layer: Layer | None = None
    summary: str | None = None
    content_type: ContentType = ContentType.TEXT
    language: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    importance: float | None = None
    confidence: float | None = None
    verification_status: VerificationStatus | None = None
    source_type: SourceType | None = None
    source_id: str | None = None
    agent_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    turn: int | None = None
    speaker: str | None = None
    event_time: datetime | None = None
    event_end: datetime | None = None
    timezone: str | None = None
    valence: float | None = None
    arousal: float | None = None
    mood: str | None = None
    pinned: bool = False
    resolved: bool = True
    expires_at: datetime | None = None
    dedupe: Dedupe = Dedupe.MERGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The answer to a store.

    Attributes:
        view: The memory that holds the text now: the new one or, for a duplicate, the old one.
        outcome: What became of the text.
        superseded_ids: Memories that it retired.
        is_lexical_only: The text lies mostly outside the model's vocabulary: it has no vectors
            and is found by its words alone.
        is_partly_lexical: The text is longer than the model reads: its middle is found by its
            words alone.
    """

    view: MemoryView
    outcome: Outcome
    superseded_ids: tuple[str, ...] = ()
    is_lexical_only: bool = False
    is_partly_lexical: bool = False
