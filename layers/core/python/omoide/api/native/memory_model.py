"""A memory as a native answer shows it."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, WithJsonSchema

from omoide.api.model import ApiModel
from omoide.domain.memory import (
    ContentType,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    TriggerType,
    VerificationStatus,
)

MemoryId = Annotated[str, WithJsonSchema({"type": "string", "format": "uuid"})]
Moment = Annotated[datetime, WithJsonSchema({"type": "string", "format": "date-time"})]
AnyObject = Annotated[
    dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": True})
]


class NativeMemory(ApiModel):
    """A memory. What is absent is null; times are RFC 3339 UTC with milliseconds."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: MemoryId
    namespace: str
    version: int = Field(ge=1, description="Grows with each change; goes into `If-Match`.")

    content: str
    summary: str | None
    content_type: ContentType
    language: str | None
    tags: list[str]
    entities: list[str]
    metadata: AnyObject

    memory_type: MemoryType
    memory_subtype: MemorySubtype | None
    layer: Layer | None

    importance: float
    confidence: float
    confidence_basis: str | None
    corroborating_sources: list[str]
    contradicting_sources: list[str]
    confidence_updated_at: Moment | None
    verification_status: VerificationStatus
    last_verified_at: Moment | None

    valence: float | None
    arousal: float | None
    mood: str | None

    status: Status
    is_archived: bool
    pinned: bool
    resolved: bool
    archived_at: Moment | None
    archive_reason: str | None
    strength: float = Field(ge=0, le=1, description="Fades with time, grows with recall.")
    warm: bool = Field(description="Whether `strength` is below .4.")

    source_type: SourceType | None
    source_id: str | None
    agent_id: str | None
    user_id: str | None
    session_id: str | None
    speaker: str | None
    turn: int | None

    created_at: Moment
    updated_at: Moment
    stored_at: Moment
    event_time: Moment
    event_end: Moment | None
    invalidated_at: Moment | None
    expires_at: Moment | None
    last_activated_at: Moment | None

    accessed_at: Moment | None
    access_count: int
    access_count_7d: float
    access_count_30d: float
    feedback: float
    last_access_utility: float | None

    superseded_by: MemoryId | None
    supersedes: list[MemoryId]
    parent_id: MemoryId | None
    related_ids: list[MemoryId]

    trigger_type: TriggerType | None
    trigger_at: Moment | None
    trigger_condition: str | None
    recurrence: str | None
    timezone: str | None
    next_due_at: Moment | None
    triggered_at: Moment | None
    trigger_count: int
    acknowledged_at: Moment | None


class ErrorDetail(ApiModel):
    """What is wrong with one field."""

    field: str
    problem: str


class ErrorBody(ApiModel):
    """What went wrong."""

    code: str = Field(description="Stable; for programs.", examples=["VALIDATION_ERROR"])
    message: str = Field(description="For people.")
    details: list[ErrorDetail]
    request_id: str


class ErrorAnswer(ApiModel):
    """An error. Requests in memex's shape get its `detail` string besides."""

    error: ErrorBody
    detail: str | None = Field(default=None, description="In memex's shape alone.")
