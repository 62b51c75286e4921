"""Whether a memory satisfies a filter: the meaning of `MemoryFilter`, in one place."""

from datetime import datetime

from omoide.domain.memory import Memory, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData


def matches(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    """Whether every condition holds. A record and its scoring data give the same answer."""
    return (
        _has_class(where, memory)
        and _has_origin(where, memory)
        and _has_tags(where, memory.tags)
        and _has_weight(where, memory)
        and _is_in_time(where, memory)
    )


def hides_expired(where: MemoryFilter) -> datetime | None:
    """The instant at or before which expiry hides a memory; None when it hides none."""
    if where.statuses and Status.EXPIRED not in where.statuses:
        return where.now
    return None


def shows_expired(where: MemoryFilter) -> datetime | None:
    """The instant at or before which expiry alone gives a memory a wanted status; None: never."""
    return where.now if Status.EXPIRED in where.statuses else None


def _has_class(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    return (
        (not where.memory_types or memory.memory_type in where.memory_types)
        and (not where.statuses or _has_status(where, memory))
        and (where.layer is None or memory.layer == where.layer)
        and (where.pinned is None or memory.pinned == where.pinned)
    )


def _has_status(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    shown_until = shows_expired(where)
    return memory.status in where.statuses or (
        shown_until is not None
        and memory.expires_at is not None
        and memory.expires_at <= shown_until
    )


def _has_origin(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    return (
        (where.session_id is None or memory.session_id == where.session_id)
        and (where.agent_id is None or memory.agent_id == where.agent_id)
        and (where.user_id is None or memory.user_id == where.user_id)
        and (where.speaker is None or memory.speaker == where.speaker)
    )


def _has_tags(where: MemoryFilter, tags: tuple[str, ...]) -> bool:
    held = set(tags)
    return (not where.tags_any or not held.isdisjoint(where.tags_any)) and held.issuperset(
        where.tags_all
    )


def _has_weight(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    return (where.importance_min is None or memory.importance >= where.importance_min) and (
        where.confidence_min is None or memory.confidence >= where.confidence_min
    )


def _is_in_time(where: MemoryFilter, memory: Memory | ScoringData) -> bool:
    hidden_until = hides_expired(where)
    return (
        (hidden_until is None or memory.expires_at is None or hidden_until < memory.expires_at)
        and (where.event_after is None or where.event_after <= memory.event_time)
        and (where.event_before is None or memory.event_time < where.event_before)
        and (where.valid_at is None or _is_valid_at(where.valid_at, memory))
    )


def _is_valid_at(instant: datetime, memory: Memory | ScoringData) -> bool:
    return memory.event_time <= instant and (
        memory.invalidated_at is None or instant < memory.invalidated_at
    )
