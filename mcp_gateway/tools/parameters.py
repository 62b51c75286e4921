"""The arguments that several tools share."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

MAX_CONTENT_CHARACTERS = 32_768
"""Length of a memory's content; told in the schemas, enforced by the API."""

MAX_QUERY_CHARACTERS = 2_000
"""Length of a query; told in the schemas, enforced by the API."""

MemoryType = Literal["episodic", "semantic", "procedural", "prospective"]

Namespace = Annotated[
    str | None,
    Field(
        description="Where the memory lives, such as user/anna/notes. "
        "Leave out for the default namespace of the key."
    ),
]

MemoryId = Annotated[UUID, Field(description="Id as returned by store_memory or search_memories.")]

OperationId = Annotated[
    str | None,
    Field(
        description="Any unique text of yours: repeating the call with it is safe, "
        "the first result is returned again (for 24 h)."
    ),
]

Timezone = Annotated[
    str | None,
    Field(description="IANA name such as Asia/Tokyo, for words like yesterday. Default UTC."),
]
