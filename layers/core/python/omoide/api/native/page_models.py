"""Native answers about many memories, and about keys and the service."""

from typing import ClassVar

from pydantic import ConfigDict, Field

from omoide.api.model import ApiModel
from omoide.api.native.memory_model import ErrorBody, Moment, NativeMemory
from omoide.api.native.store_models import StoreAnswer


class NativeAnswer(ApiModel):
    """An answer; nothing beside its fields in it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


class MemoryPage(NativeAnswer):
    """One page of memories, newest first."""

    memories: list[NativeMemory]
    next_cursor: str | None = Field(description="Continues after them; null at the end.")
    total: int = Field(description="Memories on all pages.")


class Count(NativeAnswer):
    """How many memories a namespace holds, of every status."""

    namespace: str
    count: int


class BatchResult(NativeAnswer):
    """What became of one item of a batch."""

    index: int
    status: int = Field(description="The status it would have had alone.")
    memory: StoreAnswer | None = Field(default=None, description="When it was stored.")
    error: ErrorBody | None = Field(default=None, description="When it was not.")


class BatchAnswer(NativeAnswer):
    """What became of a batch."""

    results: list[BatchResult]
    stored: int
    failed: int


class KeyAnswer(NativeAnswer):
    """A key, without its secret."""

    key_id: str
    name: str
    scopes: list[str]
    default_namespace: str
    shape: str
    created_at: Moment
    revoked_at: Moment | None


class CreatedKeyAnswer(KeyAnswer):
    """A new key and, this once, its token."""

    token: str = Field(description="`omo_<id>_<secret>`; shown this once.")


class KeyList(NativeAnswer):
    """Keys, oldest first."""

    keys: list[KeyAnswer]


class ServiceAnswer(NativeAnswer):
    """What this is."""

    service: str
    version: str
    docs: str


class HealthAnswer(NativeAnswer):
    """Whether it is alive; always 200."""

    status: str = Field(pattern="^(ok|degraded)$")
    db: str = Field(description="`ok`, or `error:` and what is wrong.")
    version: str


class PartAnswer(NativeAnswer):
    """How one part is."""

    name: str
    is_ready: bool
    problem: str | None


class ReadinessAnswer(NativeAnswer):
    """Whether every part works; 503 when one does not."""

    status: str = Field(pattern="^(ready|unavailable)$")
    parts: list[PartAnswer]
    version: str
