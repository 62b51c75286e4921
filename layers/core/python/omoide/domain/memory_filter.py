"""Which memories a list, count or search may return."""

from dataclasses import dataclass
from datetime import datetime

from omoide.domain.memory import Layer, MemoryType, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Conditions that must all hold. None or empty means no condition.

    Attributes:
        memory_types: Any of these types.
        tags_any: At least one of these tags.
        tags_all: All of these tags.
        statuses: Any of these; active alone by default.
        session_id: Exactly this session.
        agent_id: Exactly this agent.
        user_id: Exactly this user.
        speaker: Exactly this speaker.
        layer: Exactly this layer.
        pinned: Pinned, or not pinned.
        importance_min: At least this importance, 0..1.
        confidence_min: At least this confidence, 0..1.
        event_after: ``event_time`` at or after.
        event_before: ``event_time`` before.
        valid_at: ``event_time <= valid_at < invalidated_at`` (``as_of``).
        now: When statuses are judged: what expired at or before this instant is expired and
            nothing else. None takes them as they are stored.
    """

    memory_types: tuple[MemoryType, ...] = ()
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    session_id: str | None = None
    agent_id: str | None = None
    user_id: str | None = None
    speaker: str | None = None
    layer: Layer | None = None
    pinned: bool | None = None
    importance_min: float | None = None
    confidence_min: float | None = None
    event_after: datetime | None = None
    event_before: datetime | None = None
    valid_at: datetime | None = None
    now: datetime | None = None
