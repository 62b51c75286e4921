"""From what a caller gave to a valid record."""

from dataclasses import replace
from datetime import datetime

from omoide.domain.fingerprint import Sameness, fingerprint
from omoide.domain.language import detect_language
from omoide.domain.limits import as_utc, check_memory
from omoide.domain.memory import Memory, MemoryType, Status, VerificationStatus, status_at
from omoide.services.new_memory import Dedupe, NewMemory

DEFAULT_WEIGHT = 0.5
"""Importance and confidence when none is given."""


def draft_memory(new: NewMemory, *, namespace: str, memory_id: str, now: datetime) -> Memory:
    """The record a new memory would become; a turn that was not given stays open.

    Args:
        new: As the caller gave it.
        namespace: In canonical form.
        memory_id: Its id.
        now: The instant of recording.

    Raises:
        PayloadTooLargeError: The content is longer than 32,768 characters.
        InvalidRequestError: Fields are wrong; its details name each of them.
    """
    memory = replace(
        _described(
            new,
            Memory(
                id=memory_id,
                namespace=namespace,
                content=new.content,
                created_at=now,
                updated_at=now,
                stored_at=now,
                event_time=_time(new.event_time, "event_time") or now,
            ),
        ),
        source_type=new.source_type,
        source_id=new.source_id,
        agent_id=new.agent_id,
        user_id=new.user_id,
        session_id=new.session_id,
        speaker=new.speaker,
        turn=new.turn,
        event_end=_time(new.event_end, "event_end"),
        timezone=new.timezone,
        expires_at=_time(new.expires_at, "expires_at"),
    )
    check_memory(memory)
    return memory


def _described(new: NewMemory, memory: Memory) -> Memory:
    """The record with what it says and how it weighs."""
    return replace(
        memory,
        summary=new.summary,
        content_type=new.content_type,
        language=new.language or detect_language(new.content),
        tags=tuple(dict.fromkeys(new.tags)),
        entities=tuple(dict.fromkeys(new.entities)),
        metadata=new.metadata,
        memory_type=new.memory_type or MemoryType.SEMANTIC,
        memory_subtype=new.memory_subtype,
        layer=new.layer,
        importance=DEFAULT_WEIGHT if new.importance is None else new.importance,
        confidence=DEFAULT_WEIGHT if new.confidence is None else new.confidence,
        verification_status=new.verification_status or VerificationStatus.UNVERIFIED,
        valence=new.valence,
        arousal=new.arousal,
        mood=new.mood,
        pinned=new.pinned,
        resolved=new.resolved,
    )


def claimed_fingerprint(new: NewMemory, draft: Memory) -> str | None:
    """The fingerprint a new memory claims; None when deduplication is off."""
    if new.dedupe is Dedupe.OFF:
        return None
    sameness = Sameness(
        memory_type=draft.memory_type,
        speaker=draft.speaker,
        event_time=None if new.event_time is None else draft.event_time,
        session_id=draft.session_id,
        turn=new.turn,
        content=draft.content,
    )
    return fingerprint(sameness)


def brought_back(memory: Memory, draft: Memory, now: datetime) -> Memory:
    """The memory as it comes back into sight, or itself when it is in sight."""
    status = status_at(memory, now)
    if status is Status.ACTIVE:
        return memory
    return replace(
        memory,
        status=Status.ACTIVE,
        version=memory.version + 1,
        updated_at=now,
        archived_at=None,
        archive_reason=None,
        superseded_by=None,
        expires_at=draft.expires_at if status is Status.EXPIRED else memory.expires_at,
    )


def _time(value: datetime | None, field: str) -> datetime | None:
    return None if value is None else as_utc(value, field=field)
