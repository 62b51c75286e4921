"""Change fields of one memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from omoide.domain.memory import (
    ContentType,
    JsonValue,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    VerificationStatus,
)
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal
from omoide.domain.unset import UNSET, Unset
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.use_log import UseLog
from omoide.services.limit_requests import LimitRequests


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPatch:
    """New values of fields; `UNSET` leaves a field as it is, None empties it where it may be empty.

    ``status`` may be set to active or archived. Everything not named here (id, namespace, agent,
    user, the dates of recording, versions, links) cannot be changed.
    """

    content: str | Unset = UNSET
    summary: str | Unset | None = UNSET
    content_type: ContentType | Unset = UNSET
    language: str | Unset | None = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    entities: tuple[str, ...] | Unset = UNSET
    metadata: Mapping[str, JsonValue] | Unset = UNSET
    memory_type: MemoryType | Unset = UNSET
    memory_subtype: MemorySubtype | Unset | None = UNSET
    layer: Layer | Unset | None = UNSET
    importance: float | Unset = UNSET
    confidence: float | Unset = UNSET
    verification_status: VerificationStatus | Unset = UNSET
    valence: float | Unset | None = UNSET
    arousal: float | Unset | None = UNSET
    mood: str | Unset | None = UNSET
    status: Status | Unset = UNSET
    archive_reason: str | Unset | None = UNSET
    pinned: bool | Unset = UNSET
    resolved: bool | Unset = UNSET
    source_type: SourceType | Unset | None = UNSET
    source_id: str | Unset | None = UNSET
    session_id: str | Unset | None = UNSET
    speaker: str | Unset | None = UNSET
    turn: int | Unset | None = UNSET
    event_time: datetime | Unset = UNSET
    event_end: datetime | Unset | None = UNSET
    timezone: str | Unset | None = UNSET
    invalidated_at: datetime | Unset | None = UNSET
    expires_at: datetime | Unset | None = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMemory:
    """Changes fields of a memory."""

    records: MemoryRecords
    lookups: WriteLookups
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        memory_id: str,
        patch: MemoryPatch,
        *,
        expected_version: int | None = None,
        operation_id: str | None = None,
    ) -> MemoryView:
        """Change a memory."""
        raise NotImplementedError
