"""Records as items and back."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from omoide.adapters.dynamodb.item_keys import history_key, memory_key, namespace_of
from omoide.adapters.dynamodb.items import MemoryItem
from omoide.domain.errors import IncompatibleDataError
from omoide.domain.memory import (
    SCHEMA_VERSION,
    Memory,
)
from omoide.domain.memory_fields import ENUM_FIELDS, TUPLE_FIELDS

Raw = dict[str, dict[str, Any]]
"""An item as DynamoDB tells it: attribute names to typed values."""

_ELSEWHERE = frozenset({"namespace", "schema"})
_NAMES = tuple(f.name for f in fields(Memory) if f.name not in _ELSEWHERE)
_DEFAULTS: Mapping[str, Any] = {
    f.name: None if f.default is MISSING else f.default for f in fields(Memory)
}


def write_memory(memory: Memory, *, index_version: int, scoring_revision: str | None) -> Raw:
    """The item of a record.

    Args:
        memory: The record; of a tombstone only identity and times are kept.
        index_version: Greater than that of the record before.
        scoring_revision: Model revision of its scoring data, if it has any.
    """
    kept = memory if memory.deleted_at is None else _tombstone(memory)
    key = memory_key(kept.namespace, kept.id)
    values = {name: _written(name, getattr(kept, name)) for name in _NAMES}
    item = MemoryItem(
        pk=key.pk,
        sk=key.sk,
        hidden=None if is_shown(kept) else True,
        index_version=index_version,
        scoring_revision=scoring_revision,
        **values,
    )
    return item.serialize()


def read_memory(raw: Raw) -> Memory:
    """The record of an item, or of an earlier version.

    Raises:
        IncompatibleDataError: A newer program wrote it.
    """
    require_readable(raw)
    item = MemoryItem.from_raw_data(raw)
    values = {name: _read(name, item.attribute_values.get(name)) for name in _NAMES}
    return Memory(namespace=namespace_of(item.pk), **values)


def earlier_version(raw: Raw) -> Raw:
    """The history item of a record that is about to be replaced."""
    memory_id, namespace = raw["id"]["S"], namespace_of(raw["pk"]["S"])
    key = history_key(namespace, memory_id, int(raw["version"]["N"]))
    apart = {"index_version", "scoring_revision", "hidden"}
    kept = {name: value for name, value in raw.items() if name not in apart}
    return kept | {"pk": {"S": key.pk}, "sk": {"S": key.sk}}


def require_readable(raw: Raw) -> None:
    """Refuse an item of a newer program.

    Raises:
        IncompatibleDataError: Its form is newer than this program.
    """
    schema = int(raw["schema"]["N"])
    if schema > SCHEMA_VERSION:
        raise IncompatibleDataError(
            f"a stored item has schema version {schema}, this program reads up to"
            f" {SCHEMA_VERSION}: update the program"
        )


def is_shown(memory: Memory) -> bool:
    """Whether reads may show the record."""
    return memory.visible and memory.deleted_at is None


def _written(name: str, value: Any) -> Any:  # noqa: ANN401 - values of any field
    if name in TUPLE_FIELDS:
        return list(value) or None
    if name == "metadata":
        return dict(value) or None
    return value


def _read(name: str, value: Any) -> Any:  # noqa: ANN401 - values of any field
    if name in TUPLE_FIELDS:
        return tuple(value or ())
    if name == "metadata":
        return value or {}
    if value is None:
        return _DEFAULTS[name]
    convert = ENUM_FIELDS.get(name)
    return value if convert is None else convert(value)


def _tombstone(memory: Memory) -> Memory:
    """What stays of a deleted memory: its identity and when it went."""
    return Memory(
        id=memory.id,
        namespace=memory.namespace,
        content="",
        version=memory.version,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        stored_at=memory.stored_at,
        event_time=memory.created_at,
        deleted_at=memory.deleted_at,
    )
