"""New values of fields of a memory."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import cast

from omoide.domain.errors import InvalidRequestError
from omoide.domain.limits import as_utc, metadata_problem
from omoide.domain.memory import (
    ContentType,
    JsonValue,
    Layer,
    Memory,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    VerificationStatus,
    status_at,
)
from omoide.domain.unset import UNSET, Unset

SETTABLE_STATUSES = (Status.ACTIVE, Status.ARCHIVED)
"""Supersession needs a successor, expiry a date; these two are a caller's to set."""


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


def check_patch(patch: MemoryPatch) -> None:
    """Refuse metadata that cannot be kept, before anything walks it.

    Raises:
        InvalidRequestError: It is nested too deeply, too long, or holds what cannot be stored.
    """
    if not isinstance(patch.metadata, Unset):
        problem = metadata_problem(dict(patch.metadata))
        if problem is not None:
            raise InvalidRequestError.of("metadata", problem)


def patched(memory: Memory, patch: MemoryPatch, now: datetime) -> Memory:
    """The record with the values of the patch, not yet checked against the limits.

    A memory that leaves its session loses its turn, one that enters another without naming a
    turn gets its turn later. Archiving and restoring keep ``archived_at`` true.

    Raises:
        InvalidRequestError: A time is out of range, or the status is not the caller's to set, or
            cannot be set since the memory has expired.
    """
    given = {f.name: getattr(patch, f.name) for f in fields(patch)}
    values: dict[str, object] = {name: v for name, v in given.items() if v is not UNSET}
    for name, value in values.items():
        if isinstance(value, datetime):
            values[name] = as_utc(value, field=name)
        elif isinstance(value, tuple):
            values[name] = tuple(dict.fromkeys(cast(tuple[str, ...], value)))
    new = replace(memory, **values)
    if new.session_id != memory.session_id and patch.turn is UNSET:
        new = replace(new, turn=None)
    if patch.status is not UNSET and status_at(new, now) is Status.EXPIRED:
        raise InvalidRequestError.of(
            "status", "the memory has expired; set expires_at to a later time, or to null"
        )
    return _with_status(memory, new, now)


def _with_status(old: Memory, new: Memory, now: datetime) -> Memory:
    if new.status is old.status:
        return new
    if new.status not in SETTABLE_STATUSES:
        allowed = " or ".join(SETTABLE_STATUSES)
        raise InvalidRequestError.of("status", f"can be set to {allowed} only")
    if new.status is Status.ARCHIVED:
        return replace(new, archived_at=now)
    return replace(new, archived_at=None, archive_reason=None)
