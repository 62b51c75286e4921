"""Memories as JSON documents: only what differs from the default is written."""

import json
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any

from omoide.adapters.embedded.upcasting import ItemKind, upcast
from omoide.domain.memory import (
    JsonValue,
    Memory,
)
from omoide.domain.memory_fields import ENUM_FIELDS, TUPLE_FIELDS

_TIMES = frozenset(
    {
        "confidence_updated_at",
        "event_time",
        "event_end",
        "expires_at",
        "created_at",
        "updated_at",
        "stored_at",
        "last_verified_at",
        "archived_at",
        "invalidated_at",
        "last_activated_at",
        "trigger_at",
        "next_due_at",
        "triggered_at",
        "acknowledged_at",
        "deleted_at",
    }
)
_FIELDS = tuple((f.name, None if f.default is MISSING else f.default) for f in fields(Memory))
_KEPT_APART = frozenset({"schema"})


def write_memory(memory: Memory) -> str:
    """Return the document as JSON."""
    document: dict[str, JsonValue] = {}
    for name, default in _FIELDS:
        value: Any = getattr(memory, name)
        if name in _KEPT_APART or value is None or value == default or value in ((), {}):
            continue
        if isinstance(value, datetime):
            document[name] = value.isoformat()
        elif name in TUPLE_FIELDS:
            document[name] = list(value)
        elif name == "metadata":
            document[name] = dict(value)
        else:
            document[name] = value
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def read_memory(schema: int, body: str) -> Memory:
    """Return the memory of a document.

    Raises:
        IncompatibleDataError: A newer program wrote it.
    """
    document = upcast(ItemKind.MEMORY, schema, json.loads(body))
    values: dict[str, Any] = {name: _read(name, value) for name, value in document.items()}
    return Memory(**values)


def _read(name: str, value: Any) -> Any:  # noqa: ANN401 - the values of a JSON document
    if name in _TIMES:
        return datetime.fromisoformat(value)
    if name in TUPLE_FIELDS:
        return tuple(value)
    convert = ENUM_FIELDS.get(name)
    return value if convert is None else convert(value)
