"""A record to vary in tests of domain rules."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from omoide.domain.memory import Memory

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)

PLAIN = Memory(
    id="019b76da-a800-70a2-be0a-1128a3d399d2",
    namespace="default",
    content="Hanako likes tea.",
    created_at=NOW,
    updated_at=NOW,
    stored_at=NOW,
    event_time=NOW,
)


def record(**fields: Any) -> Memory:
    """The plain record with other values."""
    return replace(PLAIN, **fields)
