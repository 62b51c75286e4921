"""The structured answers of the tools; members that have no value are left out."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mcp_gateway.errors import ApiError
from mcp_gateway.schemas import JsonObject

_ModelT = TypeVar("_ModelT", bound=BaseModel)


class Recalled(BaseModel):
    """Base of the answers: members of the API which an agent does not need are dropped."""

    model_config = ConfigDict(extra="ignore")


class Memory(Recalled):
    """One memory."""

    id: str
    namespace: str
    version: int = Field(description="Grows with every change; for expected_version.")
    content: str
    memory_type: str
    status: str = Field(description="active, archived, superseded or expired.")
    importance: float
    confidence: float | None = None
    strength: float | None = Field(
        default=None, description="0..1; fades while the memory is unused."
    )
    created_at: str
    updated_at: str | None = None
    event_time: str | None = None
    event_end: str | None = None
    expires_at: str | None = None
    summary: str | None = None
    tags: list[str] | None = None
    entities: list[str] | None = None
    pinned: bool | None = None
    resolved: bool | None = None
    agent_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    turn: int | None = None
    speaker: str | None = None
    language: str | None = None
    source_type: str | None = None
    source_id: str | None = None
    superseded_by: str | None = None
    metadata: dict[str, object] | None = None


class FoundMemory(Memory):
    """A memory found by a search."""

    score: float = Field(description="Orders the results; may exceed 1.")
    relevance: float = Field(description="0..1: how well it fits the query.")
    probability: float | None = Field(default=None, description="0..1: that it answers the query.")
    similarity: float | None = Field(default=None, description="Of the meanings alone.")
    matched: list[str] | None = Field(default=None, description="dense, lexical or both.")
    explain: dict[str, object] | None = None


class StoredMemory(Recalled):
    """The receipt of a stored memory."""

    id: str
    namespace: str
    version: int
    outcome: str = Field(
        description="created, duplicate (known already), merged, "
        "superseded, backfilled, resolved or conflict."
    )
    superseded_ids: list[str]
    is_lexical_only: bool = False
    is_partly_lexical: bool = False
    memory_type: str
    importance: float
    status: str
    created_at: str


class FoundMemories(Recalled):
    """The results of a search, the best first."""

    results: list[FoundMemory]
    namespace: str
    total: int = Field(description="Number of results.")
    low_confidence: bool = Field(description="None of them may answer the query.")
    filtered_count: int = Field(description="Results left out by min_score.")
    degraded: bool = Field(description="A part of the search was down; there may be more.")


class ContextItem(Recalled):
    """A memory of a text."""

    id: str
    memory_type: str
    tier: str = Field(description="full, summary or reference.")
    text: str = Field(description="What is shown of it.")
    tokens: int
    score: float
    relevance: float = Field(description="0..1: how well it fits the query.")
    confidence: float
    created_at: str


class RetrievedContext(Recalled):
    """What matters for a query, within a budget."""

    items: list[ContextItem]
    total_tokens: int = Field(description="Of the whole text.")
    token_budget: int
    cascade_stage: str = Field(description="fast, precision or deep.")
    namespace: str
    low_confidence: bool = Field(description="None of them may answer the query.")
    degraded: bool = Field(description="A part of the search was down; there may be more.")


class SurfacedMemories(Recalled):
    """What a moment calls for."""

    items: list[ContextItem]
    reminders: list[str] = Field(description="None yet.")
    total_tokens: int = Field(description="Of the whole text.")
    degraded: bool = Field(description="A part of the search was down; there may be more.")


class DeletedMemory(Recalled):
    """The receipt of a deletion."""

    id: str
    deleted: bool


class MemoryCount(Recalled):
    """How many memories a namespace holds."""

    namespace: str
    count: int


def read_answer(model: type[_ModelT], answer: JsonObject) -> _ModelT:
    """Return an answer of the API as a model.

    Raises:
        ApiError: ``UNAVAILABLE`` when it has another form: not an Omoide API of this version.
    """
    try:
        return model.model_validate(answer)
    except ValidationError as error:
        fields = sorted({str(problem["loc"][0]) for problem in error.errors(include_input=False)})
        raise ApiError(
            code="UNAVAILABLE",
            message=f"the API answered in another form than expected ({', '.join(fields)})",
        ) from error
