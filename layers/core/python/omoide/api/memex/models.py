"""memex's requests and answers, with its limits and defaults."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from omoide.api.fields import NOT_BLANK
from omoide.api.model import ApiModel
from omoide.domain.memory import MemoryType

MemexType = Literal["episodic", "semantic", "procedural"]
_NOT_BLANK = Field(json_schema_extra={"pattern": NOT_BLANK})
"""memex takes white space for a text; we refuse it, with the status of any other wrong field."""

Id = Annotated[str, Field(min_length=1, max_length=128)]


def _without_namespace(schema: dict[str, Any]) -> None:
    schema["not"] = {"anyOf": [{"required": ["namespace"]}, {"required": ["content_text"]}]}


class MemexModel(ApiModel):
    """A request in memex's words; like memex it ignores what it does not know."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="ignore", allow_inf_nan=False, json_schema_extra=_without_namespace
    )

    agent_id: Id
    user_id: Id


class MemexStoreRequest(MemexModel):
    """A memory of an agent about a user."""

    content: Annotated[str, Field(min_length=1, max_length=8_000), _NOT_BLANK]
    importance: Annotated[float, Field(ge=0, le=2)] = 1.0
    memory_type: MemexType = "episodic"


class MemexSearchRequest(MemexModel):
    """A search among what an agent knows of a user."""

    query: Annotated[str, Field(min_length=1, max_length=2_000), _NOT_BLANK]
    top_k: Annotated[int, Field(ge=1, le=50)] = 10
    alpha: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.7, description="Share of likeness against recency."
    )
    memory_type: MemexType | None = None


class MemexCountQuery(MemexModel):
    """Whose memories are counted."""


class MemexDeleteQuery(ApiModel):
    """Whose memory is deleted."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore")

    agent_id: Id


class MemexMemory(ApiModel):
    """A memory in memex's words."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    id: UUID
    agent_id: str
    user_id: str
    content: str
    importance: float
    memory_type: MemoryType
    created_at: datetime
    score: float | None


class MemexSearchAnswer(ApiModel):
    """What a search found, best first."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    results: list[MemexMemory]
    query: str
    total: int


class MemexCount(ApiModel):
    """How many memories an agent has of a user."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    agent_id: str
    user_id: str
    count: int
