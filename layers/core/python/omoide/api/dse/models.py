"""DSE's requests and answers under its own field names."""

from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.fields import Content, Entities, Share, Tags, Timestamp
from omoide.api.model import ApiModel
from omoide.api.shapes import DSE_ALONE
from omoide.domain.limits import MAX_ORIGIN, MAX_SUMMARY
from omoide.domain.memory import (
    ContentType,
    MemorySubtype,
    MemoryType,
    SourceType,
    TriggerType,
)

DSE_LANGUAGE = "ja"
"""What DSE calls a text whose language it was not told."""


class DseModel(ApiModel):
    """A request in DSE's words; like DSE it ignores what it does not know."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore", allow_inf_nan=False)


class DseStoreRequest(DseModel):
    """A memory to be stored."""

    namespace: Annotated[str, Field(min_length=1, max_length=1_100)] | None = None
    content_text: Content
    summary: Annotated[str, Field(max_length=MAX_SUMMARY)] = ""
    memory_type: MemoryType = MemoryType.EPISODIC
    memory_subtype: MemorySubtype = MemorySubtype.OBSERVATION
    content_type: ContentType = ContentType.TEXT
    confidence: Share = 0.5
    source_type: SourceType = SourceType.OBSERVATION
    source_id: Annotated[str, Field(max_length=MAX_ORIGIN)] = ""
    tags: Tags = Field(default_factory=list[str])
    entities: Entities = Field(default_factory=list[str])
    language: Annotated[str, Field(max_length=35)] | None = Field(
        default=None, description="Detected when absent."
    )
    trigger_type: TriggerType | None = Field(
        default=None, description="Reminders are refused until they are served."
    )
    trigger_at: Timestamp | None = None
    trigger_condition: str | None = None


def _tells_its_shape(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"required": [name]} for name in sorted(DSE_ALONE)]


class DseUpdateRequest(DseModel):
    """New values of fields; absent and null ones stay."""

    model_config: ClassVar[ConfigDict] = ConfigDict(json_schema_extra=_tells_its_shape)

    summary: Annotated[str, Field(max_length=MAX_SUMMARY)] | None = None
    content_text: Content | None = None
    confidence: Share | None = None
    importance_score: Share | None = None
    tags: Tags | None = None
    entities: Entities | None = None
    is_archived: bool | None = None


class DseMemory(ApiModel):
    """A memory with all field names of DSE's record."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: str
    namespace: str
    content_path: str
    summary: str
    content_text: str
    embedding: list[float] = Field(description="Always empty: vectors stay inside.")
    summary_embedding: list[float] = Field(description="Always empty: vectors stay inside.")
    embedding_model: str
    embedding_version: str
    memory_type: MemoryType
    memory_subtype: MemorySubtype
    content_type: ContentType
    confidence: float
    confidence_basis: str
    corroborating_sources: int
    contradicting_sources: int
    confidence_updated_at: str
    source_type: SourceType
    source_id: str
    verification_status: str
    last_verified_at: str | None
    created_at: str
    updated_at: str
    accessed_at: str | None
    expires_at: str | None
    access_count: int
    access_count_7d: int
    access_count_30d: int
    last_access_utility: float
    decay_score: float
    importance_score: float
    superseded_by: str | None
    supersedes: list[str]
    parent_id: str | None
    tags: list[str]
    entities: list[str]
    language: str
    trigger_type: TriggerType | None
    trigger_at: str | None
    trigger_condition: str | None
    is_triggered: bool
    is_archived: bool
    archived_at: str | None
    archive_reason: str | None
    neighbor_ids: list[str]
