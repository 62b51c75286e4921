"""What a native request changes of a memory."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, model_validator

from omoide.api.fields import (
    AnyContentType,
    AnyLayer,
    AnyMemorySubtype,
    AnyMemoryType,
    AnySourceType,
    AnyStatus,
    AnyVerificationStatus,
    Content,
    Entities,
    Language,
    Metadata,
    OperationId,
    Origin,
    Share,
    ShortText,
    Signed,
    Summary,
    Tags,
    Timestamp,
    Turn,
    Zone,
)
from omoide.api.native.store_models import NativeModel
from omoide.domain.unset import UNSET


def _absent() -> Any:  # noqa: ANN401 - stands in for a value of any field
    return UNSET


class UpdateRequest(NativeModel):
    """New values of fields. What is absent stays; null empties a field that may be empty."""

    model_config: ClassVar[ConfigDict] = ConfigDict(json_schema_extra={"minProperties": 1})

    content: Content = Field(default_factory=_absent)
    summary: Summary | None = Field(default_factory=_absent)
    content_type: AnyContentType = Field(default_factory=_absent)
    language: Language | None = Field(default_factory=_absent)
    tags: Tags = Field(default_factory=_absent)
    entities: Entities = Field(default_factory=_absent)
    metadata: Metadata = Field(default_factory=_absent)
    memory_type: AnyMemoryType = Field(default_factory=_absent)
    memory_subtype: AnyMemorySubtype | None = Field(default_factory=_absent)
    layer: AnyLayer | None = Field(default_factory=_absent)
    importance: Share = Field(default_factory=_absent)
    confidence: Share = Field(default_factory=_absent)
    verification_status: AnyVerificationStatus = Field(default_factory=_absent)
    valence: Signed | None = Field(default_factory=_absent)
    arousal: Share | None = Field(default_factory=_absent)
    mood: ShortText | None = Field(default_factory=_absent)
    status: AnyStatus = Field(default_factory=_absent, description="active or archived.")
    archive_reason: Summary | None = Field(default_factory=_absent)
    pinned: bool = Field(default_factory=_absent)
    resolved: bool = Field(default_factory=_absent)
    source_type: AnySourceType | None = Field(default_factory=_absent)
    source_id: Origin | None = Field(default_factory=_absent)
    session_id: Origin | None = Field(default_factory=_absent)
    speaker: Origin | None = Field(default_factory=_absent)
    turn: Turn | None = Field(default_factory=_absent)
    event_time: Timestamp = Field(default_factory=_absent)
    event_end: Timestamp | None = Field(default_factory=_absent)
    timezone: Zone | None = Field(default_factory=_absent)
    invalidated_at: Timestamp | None = Field(default_factory=_absent)
    expires_at: Timestamp | None = Field(default_factory=_absent)
    operation_id: Annotated[
        OperationId | None, Field(description="Makes the request safe to repeat for 24 hours.")
    ] = None

    @model_validator(mode="after")
    def _names_a_change(self) -> Self:
        if not self.model_fields_set - {"operation_id"}:
            raise ValueError("names nothing to change")
        return self
