"""The turns just before and after nominated ones, in the same session."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.engine.filters import Mask
from omoide.engine.part import LivePart, Part
from omoide.engine.sets import distinct

_TURN_BITS = 32
_TURN_MASK = (1 << _TURN_BITS) - 1
_NONE = -1
_BEYOND = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turns:
    """Distinct nominated turns: ``(m,)`` session hashes and turns."""

    sessions: NDArray[np.uint64]
    turns: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What one part has beside each nominated turn: ``(m,)`` turns, and rows for them."""

    earlier_turns: NDArray[np.int64]
    earlier_rows: NDArray[np.int64]
    later_turns: NDArray[np.int64]
    later_rows: NDArray[np.int64]


def neighbours_of(
    parts: Sequence[LivePart],
    masks: Sequence[Mask | None],
    nominated: Sequence[NDArray[np.int64]],
) -> list[NDArray[np.int64]]:
    """Return for each part the rows that are the neighbour of some nominated row.

    A neighbour is the greatest earlier or smallest later turn of the session among the rows that
    satisfy the filter. Of several with the same turn the later neighbour is the first written,
    the earlier one the last.

    Args:
        parts: All parts, in the order of their vids.
        masks: The rows allowed in each; None for all.
        nominated: Rows of each part.
    """
    wanted = _turns_of(parts, nominated)
    neighbours: list[list[NDArray[np.int64]]] = [[] for _ in parts]
    found = [_beside(live.part, mask, wanted) for live, mask in zip(parts, masks, strict=True)]
    if not found or not len(wanted.turns):
        return [np.zeros(0, dtype=np.int64) for _ in parts]
    earlier = np.stack([f.earlier_turns for f in found])
    later = np.stack([f.later_turns for f in found])
    last_part = len(found) - 1
    earlier_part = last_part - np.argmax(earlier[::-1], axis=0)
    later_part = np.argmin(later, axis=0)
    for i, beside in enumerate(found):
        is_earlier = (earlier_part == i) & (beside.earlier_turns != _NONE)
        is_later = (later_part == i) & (beside.later_turns != _BEYOND)
        neighbours[i] += [beside.earlier_rows[is_earlier], beside.later_rows[is_later]]
    return [distinct(np.concatenate(rows)) for rows in neighbours]


def _turns_of(parts: Sequence[LivePart], nominated: Sequence[NDArray[np.int64]]) -> _Turns:
    pairs = np.zeros(0, dtype=[("session", np.uint64), ("turn", np.int64)])
    collected = [pairs]
    for live, rows in zip(parts, nominated, strict=True):
        session, turn = live.part.session, live.part.columns.turn
        held = rows[(session.codes[rows] >= 0) & (turn[rows] >= 0)]
        of_part = np.empty(len(held), dtype=pairs.dtype)
        of_part["session"] = session.hashes[session.codes[held]]
        of_part["turn"] = turn[held]
        collected.append(of_part)
    turns = distinct(np.concatenate(collected))
    return _Turns(sessions=turns["session"], turns=turns["turn"])


def _beside(part: Part, mask: Mask | None, wanted: _Turns) -> _Found:
    keys, rows = part.turns.keys, part.turns.rows
    if mask is not None:
        allowed = mask[rows]
        keys, rows = keys[allowed], rows[allowed]
    places, is_known = _places(part.turns.sessions, wanted.sessions)
    sought = (places << _TURN_BITS) + wanted.turns
    earlier_turns, earlier_rows = _at(
        keys, rows, np.searchsorted(keys, sought, side="left") - 1, places, is_known, _NONE
    )
    later_turns, later_rows = _at(
        keys, rows, np.searchsorted(keys, sought, side="right"), places, is_known, _BEYOND
    )
    return _Found(
        earlier_turns=earlier_turns,
        earlier_rows=earlier_rows,
        later_turns=later_turns,
        later_rows=later_rows,
    )


def _places(
    sessions: NDArray[np.uint64], wanted: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    if not len(sessions):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=np.bool_)
    places = np.minimum(np.searchsorted(sessions, wanted), len(sessions) - 1)
    return places.astype(np.int64), sessions[places] == wanted


def _at(
    keys: NDArray[np.int64],
    rows: NDArray[np.int64],
    indices: NDArray[np.intp],
    places: NDArray[np.int64],
    is_known: NDArray[np.bool_],
    absent: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Turn and row at each index, ``absent`` where that is outside of the session."""
    turns = np.full(len(indices), absent, dtype=np.int64)
    found = np.zeros(len(indices), dtype=np.int64)
    inside = np.flatnonzero(is_known & (indices >= 0) & (indices < len(keys)))
    if len(inside):
        held = keys[indices[inside]]
        is_same = held >> _TURN_BITS == places[inside]
        inside, held = inside[is_same], held[is_same]
        turns[inside] = held & _TURN_MASK
        found[inside] = rows[indices[inside]]
    return turns, found
