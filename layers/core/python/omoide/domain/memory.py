"""The record of one memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

SCHEMA_VERSION = 1
"""Version of the stored form of every item; readers upcast older ones."""

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class MemoryType(StrEnum):
    """What kind of memory it is."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    PROSPECTIVE = "prospective"


class MemorySubtype(StrEnum):
    """How the memory came about."""

    OBSERVATION = "observation"
    INFERENCE = "inference"
    USER_EXPLICIT = "user_explicit"
    AGENT_GENERATED = "agent_generated"


class ContentType(StrEnum):
    """What the content is."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    DOCUMENT = "document"
    CODE = "code"
    STRUCTURED_DATA = "structured_data"


class Layer(StrEnum):
    """Fact, experience or decision: a filter and a facet, without effect on scores."""

    FACT = "fact"
    EXPERIENCE = "experience"
    DECISION = "decision"


class SourceType(StrEnum):
    """Where the memory came from, the most trusted first."""

    USER_EXPLICIT = "user_explicit"
    EXTERNAL_API = "external_api"
    OBSERVATION = "observation"
    INFERENCE = "inference"


class VerificationStatus(StrEnum):
    """What is known of the memory's truth."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    PENDING = "pending"


class Status(StrEnum):
    """Where the memory is in its life."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


class TriggerType(StrEnum):
    """What makes a prospective memory due."""

    TIME = "time"
    EVENT = "event"
    CONDITION = "condition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, as it is stored. Times are aware UTC.

    Identity is ``id``, ``namespace`` and ``version`` (1 for a new record). The ranges of fields are
    those of `omoide.domain.limits`.
    """

    id: str
    namespace: str
    content: str
    created_at: datetime
    updated_at: datetime
    stored_at: datetime
    event_time: datetime
    version: int = 1
    schema: int = SCHEMA_VERSION

    summary: str | None = None
    content_type: ContentType = ContentType.TEXT
    language: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    memory_type: MemoryType = MemoryType.SEMANTIC
    memory_subtype: MemorySubtype | None = None
    layer: Layer | None = None

    importance: float = 0.5
    confidence: float = 0.5
    confidence_basis: str | None = None
    corroborating_sources: tuple[str, ...] = ()
    contradicting_sources: tuple[str, ...] = ()
    confidence_updated_at: datetime | None = None
    verification_status: VerificationStatus = VerificationStatus.UNVERIFIED
    last_verified_at: datetime | None = None

    valence: float | None = None
    arousal: float | None = None
    mood: str | None = None

    status: Status = Status.ACTIVE
    pinned: bool = False
    resolved: bool = True
    archived_at: datetime | None = None
    archive_reason: str | None = None

    source_type: SourceType | None = None
    source_id: str | None = None
    agent_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    speaker: str | None = None
    turn: int | None = None

    event_end: datetime | None = None
    invalidated_at: datetime | None = None
    expires_at: datetime | None = None
    last_activated_at: datetime | None = None

    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    parent_id: str | None = None
    related_ids: tuple[str, ...] = ()

    trigger_type: TriggerType | None = None
    trigger_at: datetime | None = None
    trigger_condition: str | None = None
    recurrence: str | None = None
    timezone: str | None = None
    next_due_at: datetime | None = None
    triggered_at: datetime | None = None
    trigger_count: int = 0
    acknowledged_at: datetime | None = None

    visible: bool = True
    deleted_at: datetime | None = None

    fingerprint: str | None = None
    """SHA-256 claimed by this record, None when deduplication is off for it."""


def status_at(memory: Memory, now: datetime) -> Status:
    """Where a memory is in its life at an instant: past its expiry it is expired, whatever else.

    Nothing writes that down when the time comes; every reader judges it by the clock.
    """
    is_over = memory.expires_at is not None and memory.expires_at <= now
    return Status.EXPIRED if is_over else memory.status


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How a memory was used: kept apart from the record, unversioned.

    Counters are exponentially decayed, ``c' = c * exp(-dt / tau) + 1``, and valid at
    ``accessed_at``.
    """

    memory_id: str
    accessed_at: datetime
    access_count: int = 0
    access_count_7d: float = 0.0
    access_count_30d: float = 0.0
    feedback: float = 0.0
    last_access_utility: float | None = None
