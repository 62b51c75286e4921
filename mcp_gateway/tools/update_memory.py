"""The tool update_memory."""

from typing import Literal

from pydantic import Field

from mcp_gateway.answers import Memory, read_answer
from mcp_gateway.api_client import Api
from mcp_gateway.errors import ApiError, FieldError
from mcp_gateway.tool import Answer, Arguments, Tool
from mcp_gateway.tools.parameters import (
    MAX_CONTENT_CHARACTERS,
    MemoryId,
    MemoryType,
    OperationId,
)

Clearable = Literal[
    "summary", "tags", "entities", "session_id", "speaker", "event_end", "expires_at", "metadata"
]
_EMPTY: dict[str, object] = {"tags": [], "entities": [], "metadata": {}}
_NOT_CHANGES = ("memory_id", "clear", "expected_version", "operation_id")


class UpdateMemoryArguments(Arguments):
    """Which memory, and what changes; everything else stays."""

    memory_id: MemoryId
    content: str | None = Field(
        default=None,
        description=f"The new text, in full. 1 to {MAX_CONTENT_CHARACTERS:,} characters.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_CONTENT_CHARACTERS},
    )
    memory_type: MemoryType | None = None
    summary: str | None = Field(default=None, description="Up to 500 characters.")
    tags: list[str] | None = Field(default=None, description="Replaces all tags.")
    entities: list[str] | None = Field(default=None, description="Replaces all entities.")
    importance: float | None = Field(default=None, description="0 to 1.")
    confidence: float | None = Field(default=None, description="0 to 1.")
    speaker: str | None = None
    event_time: str | None = Field(default=None, description="RFC 3339.")
    event_end: str | None = Field(default=None, description="RFC 3339.")
    expires_at: str | None = Field(default=None, description="RFC 3339.")
    metadata: dict[str, object] | None = Field(default=None, description="Replaces it whole.")
    pinned: bool | None = Field(default=None, description="Never fades when true.")
    status: Literal["active", "archived"] | None = Field(
        default=None, description="Archive it (searches stop seeing it), or bring it back."
    )
    clear: list[Clearable] | None = Field(
        default=None, description="Fields to empty, for example expires_at."
    )
    expected_version: int | None = Field(
        default=None, description="Refuse unless the memory still has this version."
    )
    operation_id: OperationId = None


async def update_memory(api: Api, arguments: UpdateMemoryArguments) -> Answer:
    """Change one memory and return it as it is now."""
    headers: dict[str, str] = {}
    if arguments.expected_version is not None:
        headers["If-Match"] = str(arguments.expected_version)
    if arguments.operation_id is not None:
        headers["Idempotency-Key"] = arguments.operation_id
    answer = await api.call(
        "PATCH", f"/v1/memories/{arguments.memory_id}", body=_changes(arguments), headers=headers
    )
    memory = read_answer(Memory, answer)
    return Answer(
        text=f"Updated memory {memory.id}, now version {memory.version}.", structured=memory
    )


def _changes(arguments: UpdateMemoryArguments) -> dict[str, object]:
    changes = arguments.given(*_NOT_CHANGES)
    for name in arguments.clear or ():
        if name in changes:
            raise ApiError(
                code="VALIDATION_ERROR",
                message="a field is both set and cleared",
                details=[FieldError(field=name, problem="leave it out of clear, or do not set it")],
            )
        changes[name] = _EMPTY.get(name)
    if not changes:
        raise ApiError(
            code="VALIDATION_ERROR",
            message="nothing to change",
            details=[FieldError(field="content", problem="give at least one field to change")],
        )
    return changes


TOOL = Tool(
    name="update_memory",
    title="Update a memory",
    description="Correct or complete a memory that is wrong or out of date. Only the fields given "
    "change; the earlier version stays in its history. For a fact that was true before and is "
    "not any more, rather store the new fact.",
    arguments=UpdateMemoryArguments,
    answer=Memory,
    run=update_memory,
    destructive=True,
    idempotent=True,
)
"""Change a memory."""
