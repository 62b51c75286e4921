"""The query parameters of native requests."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.fields import Namespace, Origin, Share, Tag, Timestamp
from omoide.api.model import ApiModel
from omoide.domain.limits import MAX_PAGE
from omoide.domain.memory import Layer, MemoryType, Status

DEFAULT_LIMIT = 50


class NativeQuery(ApiModel):
    """Query parameters; nothing unknown among them."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)


class NoQuery(NativeQuery):
    """No query parameters."""


class CountQuery(NativeQuery):
    """Where memories are counted."""

    namespace: Namespace | None = None


class DeleteQuery(NativeQuery):
    """How a memory is deleted."""

    cascade: bool = Field(
        default=False, description="Delete what was derived from it, instead of making it anew."
    )


class ListQuery(NativeQuery):
    """Which memories are listed; conditions must all hold."""

    namespace: Namespace | None = None
    memory_type: list[MemoryType] = Field(
        default_factory=list[MemoryType], max_length=4, description="Any of these."
    )
    status: list[Status] = Field(
        default_factory=list[Status],
        max_length=4,
        description="Any of these; active alone when absent.",
    )
    tag: list[Tag] = Field(default_factory=list[str], max_length=64, description="All of these.")
    session_id: Origin | None = None
    agent_id: Origin | None = None
    user_id: Origin | None = None
    speaker: Origin | None = None
    layer: Layer | None = None
    pinned: bool | None = None
    importance_min: Share | None = None
    confidence_min: Share | None = None
    event_after: Timestamp | None = Field(default=None, description="Happened then or later.")
    event_before: Timestamp | None = Field(default=None, description="Happened before.")
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = DEFAULT_LIMIT
    cursor: Annotated[str, Field(min_length=1, max_length=1_024)] | None = Field(
        default=None, description="`next_cursor` of the page before, with the same conditions."
    )
