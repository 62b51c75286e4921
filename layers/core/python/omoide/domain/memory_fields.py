"""Which fields of a record have values that plain data does not: what every store must know."""

from collections.abc import Callable, Mapping
from typing import Any

from omoide.domain.memory import (
    ContentType,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    TriggerType,
    VerificationStatus,
)

ENUM_FIELDS: Mapping[str, Callable[[str], Any]] = {
    "content_type": ContentType,
    "memory_type": MemoryType,
    "memory_subtype": MemorySubtype,
    "layer": Layer,
    "verification_status": VerificationStatus,
    "status": Status,
    "source_type": SourceType,
    "trigger_type": TriggerType,
}
"""Fields of a record that hold a member of a closed set, and that set."""

TUPLE_FIELDS = frozenset(
    {
        "tags",
        "entities",
        "corroborating_sources",
        "contradicting_sources",
        "supersedes",
        "related_ids",
    }
)
"""Fields of a record that hold several texts in order."""
