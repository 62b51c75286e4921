"""A filter as a condition on items; it means what `omoide.domain.matching` says."""

from collections.abc import Iterator
from functools import reduce
from typing import cast

from pynamodb.expressions.condition import Condition

from omoide.adapters.dynamodb.items import MemoryItem
from omoide.domain.matching import hides_expired, shows_expired
from omoide.domain.memory_filter import MemoryFilter

_EQUAL = ("session_id", "agent_id", "user_id", "speaker", "layer")


def shown_where(where: MemoryFilter | None) -> Condition:
    """What reads may show, and the filter lets pass."""
    conditions: list[Condition] = [MemoryItem.hidden.does_not_exist()]
    if where is not None:
        conditions += [*_of_class(where), *_of_weight(where), *_of_tags(where), *_of_time(where)]
    return reduce(lambda one, other: one & other, conditions)


def _of_class(where: MemoryFilter) -> Iterator[Condition]:
    if where.memory_types:
        yield MemoryItem.memory_type.is_in(*where.memory_types)
    if where.statuses:
        yield _of_status(where)
    for name in _EQUAL:
        value = getattr(where, name)
        if value is not None:
            yield cast("Condition", getattr(MemoryItem, name) == str(value))
    if where.pinned is not None:
        yield MemoryItem.pinned == where.pinned


def _of_status(where: MemoryFilter) -> Condition:
    wanted: Condition = MemoryItem.status.is_in(*where.statuses)
    shown_until = shows_expired(where)
    return wanted if shown_until is None else wanted | (MemoryItem.expires_at <= shown_until)


def _of_weight(where: MemoryFilter) -> Iterator[Condition]:
    if where.importance_min is not None:
        yield MemoryItem.importance >= where.importance_min
    if where.confidence_min is not None:
        yield MemoryItem.confidence >= where.confidence_min


def _of_tags(where: MemoryFilter) -> Iterator[Condition]:
    if where.tags_any:
        tagged = (cast("Condition", MemoryItem.tags.contains(tag)) for tag in where.tags_any)
        yield reduce(lambda one, other: one | other, tagged)
    for tag in where.tags_all:
        yield MemoryItem.tags.contains(tag)


def _of_time(where: MemoryFilter) -> Iterator[Condition]:
    hidden_until = hides_expired(where)
    if hidden_until is not None:
        expires = MemoryItem.expires_at
        yield expires.does_not_exist() | (expires > hidden_until)
    if where.event_after is not None:
        yield MemoryItem.event_time >= where.event_after
    if where.event_before is not None:
        yield MemoryItem.event_time < where.event_before
    if where.valid_at is not None:
        invalidated = MemoryItem.invalidated_at
        yield MemoryItem.event_time <= where.valid_at
        yield invalidated.does_not_exist() | (invalidated > where.valid_at)
