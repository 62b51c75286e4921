"""The tool store_memory."""

from typing import Literal

from pydantic import Field

from mcp_gateway.answers import StoredMemory, read_answer
from mcp_gateway.api_client import Api
from mcp_gateway.errors import ApiError, FieldError
from mcp_gateway.tool import Answer, Arguments, Tool
from mcp_gateway.tools.parameters import (
    MAX_CONTENT_CHARACTERS,
    MemoryType,
    Namespace,
    OperationId,
    Timezone,
)


class StoreMemoryArguments(Arguments):
    """What to remember."""

    content: str = Field(
        description="What to remember, in the language it was said, as a sentence that stands "
        f"alone. 1 to {MAX_CONTENT_CHARACTERS:,} characters; split longer texts.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_CONTENT_CHARACTERS},
    )
    namespace: Namespace = None
    memory_type: MemoryType | None = Field(
        default=None,
        description="episodic (what happened), semantic (facts, preferences), procedural (how "
        "things are done) or prospective (still to come). Default semantic.",
    )
    summary: str | None = Field(default=None, description="One sentence; up to 500 characters.")
    tags: list[str] | None = Field(
        default=None, description="Up to 64 labels of up to 128 characters, for filters."
    )
    entities: list[str] | None = Field(
        default=None, description="Up to 128 names of people, places and things in it."
    )
    importance: float | None = Field(default=None, description="0 to 1. Default 0.5.")
    confidence: float | None = Field(
        default=None, description="0 to 1: how sure it is true. Default 0.5."
    )
    source_type: Literal["user_explicit", "external_api", "observation", "inference"] | None = (
        Field(default=None, description="Where it comes from.")
    )
    source_id: str | None = Field(default=None, description="Its id or address at the source.")
    agent_id: str | None = Field(
        default=None, description="Which agent stores it; needs namespace."
    )
    user_id: str | None = Field(default=None, description="Whom it is about; needs namespace.")
    session_id: str | None = Field(
        default=None, description="The conversation it belongs to; neighbours are used as context."
    )
    turn: int | None = Field(default=None, description="Its place in the session. Default: next.")
    speaker: str | None = Field(default=None, description="Who said it.")
    event_time: str | None = Field(
        default=None, description="When it happened or became true (RFC 3339). Default: now."
    )
    event_end: str | None = Field(default=None, description="When it ended (RFC 3339).")
    timezone: Timezone = None
    language: str | None = Field(default=None, description="BCP 47 tag. Default: detected.")
    metadata: dict[str, object] | None = Field(
        default=None, description="Any JSON object, up to 16 KB."
    )
    pinned: bool | None = Field(default=None, description="Never fades when true.")
    expires_at: str | None = Field(
        default=None, description="Searches stop seeing it then (RFC 3339)."
    )
    operation_id: OperationId = None


async def store_memory(api: Api, arguments: StoreMemoryArguments) -> Answer:
    """Store one memory and return its receipt."""
    _check_namespace(arguments)
    answer = await api.call("POST", "/v1/memories", body=arguments.given())
    stored = read_answer(StoredMemory, answer)
    if stored.outcome == "duplicate":
        text = f"Already known as memory {stored.id}: nothing new was stored."
    else:
        text = f"Stored memory {stored.id} ({stored.outcome})."
    if stored.superseded_ids:
        text += f" It supersedes {', '.join(stored.superseded_ids)}."
    if stored.is_lexical_only:
        text += " Its text is outside the model's vocabulary: it is found by its words alone."
    if stored.is_partly_lexical:
        text += " It is longer than the model reads: its middle is found by its words alone."
    return Answer(text=text, structured=stored)


def _check_namespace(arguments: StoreMemoryArguments) -> None:
    """Without a namespace, an agent and a user would make the API read another shape."""
    if arguments.namespace is None and (arguments.agent_id or arguments.user_id):
        raise ApiError(
            code="VALIDATION_ERROR",
            message="agent_id and user_id need a namespace",
            details=[FieldError(field="namespace", problem="is needed with agent_id or user_id")],
        )


TOOL = Tool(
    name="store_memory",
    title="Store a memory",
    description="Remember something beyond this conversation: a fact, a preference, a decision, "
    "what happened, how something is done. One thing per call, understandable without the "
    "conversation around it. Storing the very same text again makes no second memory. "
    "Returns the id and the outcome.",
    arguments=StoreMemoryArguments,
    answer=StoredMemory,
    run=store_memory,
)
"""Create a memory."""
