"""Which rows of a part satisfy a filter, as a mask."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from omoide.domain.matching import hides_expired, shows_expired
from omoide.domain.memory_filter import MemoryFilter
from omoide.engine.codec import LAYERS, MEMORY_TYPES, PINNED, STATUSES
from omoide.engine.part import LivePart, Part
from omoide.engine.text import text_hash
from omoide.engine.times import microseconds

Mask = NDArray[np.bool_]


def mask_of(live: LivePart, where: MemoryFilter) -> Mask | None:
    """Return the ``(n,)`` rows that are alive and satisfy the filter; None when all do."""
    part = live.part
    conditions = [
        live.alive,
        *_class_masks(part, where),
        *_origin_masks(part, where),
        *_tag_masks(part, where),
        *_weight_masks(part, where),
        *_time_masks(part, where),
    ]
    mask: Mask | None = None
    for condition in conditions:
        if condition is not None:
            mask = condition if mask is None else mask & condition
    return mask


def _class_masks(part: Part, where: MemoryFilter) -> list[Mask | None]:
    columns = part.columns
    masks: list[Mask | None] = []
    wanted = sum(1 << STATUSES.index(s) for s in set(where.statuses))
    if where.statuses and part.summary.statuses & ~wanted:
        masks.append(_status_mask(part, where))
    if where.memory_types:
        codes = [MEMORY_TYPES.index(kind) for kind in where.memory_types]
        masks.append(_is_any(columns.memory_type, codes))
    if where.layer is not None:
        masks.append(columns.layer == LAYERS.index(where.layer))
    if where.pinned is not None:
        masks.append((columns.flags & PINNED > 0) == where.pinned)
    return masks


def _status_mask(part: Part, where: MemoryFilter) -> Mask:
    columns = part.columns
    mask = _is_any(columns.status, [STATUSES.index(s) for s in where.statuses])
    shown_until = shows_expired(where)
    if shown_until is not None and part.summary.earliest_expiry <= microseconds(shown_until):
        mask |= columns.expires_at <= microseconds(shown_until)
    return mask


def _is_any(column: NDArray[np.uint8], codes: Sequence[int]) -> Mask:
    wanted = np.zeros(256, dtype=np.bool_)
    wanted[list(codes)] = True
    return wanted[column]


def _origin_masks(part: Part, where: MemoryFilter) -> list[Mask | None]:
    pairs = (
        (part.session, where.session_id),
        (part.agent, where.agent_id),
        (part.user, where.user_id),
        (part.speaker, where.speaker),
    )
    return [column.codes == column.code_of(value) for column, value in pairs if value is not None]


def _tag_masks(part: Part, where: MemoryFilter) -> list[Mask | None]:
    masks: list[Mask | None] = [_tagged(part, (tag,)) for tag in where.tags_all]
    if where.tags_any:
        masks.append(_tagged(part, where.tags_any))
    return masks


def _tagged(part: Part, tags: Sequence[str]) -> Mask:
    mask = np.zeros(part.row_count, dtype=np.bool_)
    for posting in part.tags.find(np.array([text_hash(t) for t in tags], dtype=np.uint64)):
        if posting is not None:
            mask[posting.rows] = True
    return mask


def _weight_masks(part: Part, where: MemoryFilter) -> list[Mask | None]:
    masks: list[Mask | None] = []
    if where.importance_min is not None:
        masks.append(part.columns.importance >= where.importance_min)
    if where.confidence_min is not None:
        masks.append(part.columns.confidence >= where.confidence_min)
    return masks


def _time_masks(part: Part, where: MemoryFilter) -> list[Mask | None]:
    columns = part.columns
    masks: list[Mask | None] = []
    hidden_until = hides_expired(where)
    if hidden_until is not None and part.summary.earliest_expiry <= microseconds(hidden_until):
        masks.append(columns.expires_at > microseconds(hidden_until))
    if where.event_after is not None:
        masks.append(columns.event_time >= microseconds(where.event_after))
    if where.event_before is not None:
        masks.append(columns.event_time < microseconds(where.event_before))
    if where.valid_at is not None:
        instant = microseconds(where.valid_at)
        masks.append((columns.event_time <= instant) & (columns.invalidated_at > instant))
    return masks
