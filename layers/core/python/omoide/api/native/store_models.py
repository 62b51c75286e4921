"""What a native request says of memories to be stored, and the answers."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.fields import (
    AnyContentType,
    AnyLayer,
    AnyMemorySubtype,
    AnyMemoryType,
    AnySourceType,
    Content,
    Entities,
    Language,
    Metadata,
    Namespace,
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
from omoide.api.model import ApiModel
from omoide.api.native.memory_model import NativeMemory
from omoide.domain.limits import MAX_BATCH
from omoide.services.new_memory import Dedupe, Outcome


class NativeModel(ApiModel):
    """A native request: strict, and nothing unknown in it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class BatchItem(NativeModel):
    """A memory to be stored."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        json_schema_extra={
            "dependentRequired": {"agent_id": ["namespace"], "user_id": ["namespace"]}
        }
    )

    content: Annotated[Content, Field(description="The text to remember.")]
    namespace: Namespace | None = None
    memory_type: AnyMemoryType | None = Field(
        default=None, description="What kind of memory it is; semantic when absent."
    )
    memory_subtype: AnyMemorySubtype | None = None
    layer: AnyLayer | None = Field(
        default=None, description="Fact, experience or decision: a filter, no effect on scores."
    )
    content_type: AnyContentType | None = None
    summary: Summary | None = None
    tags: Tags | None = None
    entities: Entities | None = None
    importance: Share | None = Field(default=None, description="0..1; .5 when absent.")
    confidence: Share | None = Field(default=None, description="0..1; .5 when absent.")
    source_type: AnySourceType | None = None
    source_id: Origin | None = None
    agent_id: Origin | None = Field(
        default=None,
        description="Who stored it; needs `namespace`. With `user_id` and without `namespace` "
        "the request is memex's.",
    )
    user_id: Origin | None = Field(default=None, description="Whom it is about; needs `namespace`.")
    session_id: Origin | None = None
    turn: Turn | None = Field(
        default=None, description="Place in the session; the next one when absent."
    )
    speaker: Origin | None = None
    event_time: Timestamp | None = Field(
        default=None, description="When it happened; now when absent."
    )
    event_end: Timestamp | None = None
    timezone: Zone | None = None
    valence: Signed | None = Field(default=None, description="Unpleasant -1 to pleasant 1.")
    arousal: Share | None = Field(default=None, description="Calm 0 to agitated 1.")
    mood: ShortText | None = None
    language: Language | None = Field(
        default=None, description="BCP-47; detected when absent.", examples=["ja"]
    )
    metadata: Metadata | None = Field(
        default=None, description="A JSON object of the caller's own, at most 16 KiB."
    )
    pinned: bool | None = Field(default=None, description="Never fades, never gives way.")
    resolved: bool | None = Field(
        default=None, description="False for an open loop; true when absent."
    )
    expires_at: Timestamp | None = None
    dedupe: Annotated[Dedupe, Field(strict=False)] | None = Field(
        default=None, description="How the text is compared with what is there."
    )


class StoreRequest(BatchItem):
    """A memory to be stored."""

    operation_id: OperationId | None = Field(
        default=None, description="Makes the request safe to repeat for 24 hours."
    )


class StoreAnswer(NativeMemory):
    """The memory that holds the text now, and what became of the request."""

    outcome: Outcome
    superseded_ids: list[str] = Field(description="Memories it retired.")
    is_lexical_only: bool = Field(
        description="Its text lies mostly outside the model's vocabulary: it has no vectors and "
        "is found by its words alone."
    )
    is_partly_lexical: bool = Field(
        description="Its text is longer than the model reads: the middle is found by its words "
        "alone."
    )


class BatchRequest(NativeModel):
    """Memories to be stored together; a bad one fails alone."""

    memories: Annotated[list[BatchItem], Field(min_length=1, max_length=MAX_BATCH)]
    operation_id: OperationId | None = Field(
        default=None, description="Each item is idempotent under `<operation_id>#<index>`."
    )


class BatchEnvelope(NativeModel):
    """A batch whose items are looked at one by one."""

    memories: Annotated[list[object], Field(min_length=1, max_length=MAX_BATCH)]
    operation_id: OperationId | None = None
