"""One part of a namespace's index: rows as columns, vectors, postings and turns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.engine.postings import Postings
from omoide.engine.sets import distinct
from omoide.engine.text import strings_at, text_hash
from omoide.engine.times import NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What every row has, ``(n,)`` each. Times are microseconds, see `omoide.engine.times`.

    Attributes:
        vid: int64, ascending: the order of commits.
        flags: uint8 bits of `omoide.engine.codec`: asks, is question, pinned, resolved.
        scripts: uint8.
        memory_type: uint8 index into `MemoryType`.
        status: uint8 index into `Status`.
        layer: uint8, 0 none, then the layers.
        importance: float64.
        confidence: float64.
        arousal: float32.
        valence: float32.
        created_at: int64.
        event_time: int64.
        invalidated_at: int64.
        expires_at: int64.
        last_activated_at: int64.
        turn: int64, -1 without one.
        own_length: uint32, terms of the memory.
        context_length: uint32, terms of memory and previous turn together.
    """

    vid: NDArray[np.int64]
    flags: NDArray[np.uint8]
    scripts: NDArray[np.uint8]
    memory_type: NDArray[np.uint8]
    status: NDArray[np.uint8]
    layer: NDArray[np.uint8]
    importance: NDArray[np.float64]
    confidence: NDArray[np.float64]
    arousal: NDArray[np.float32]
    valence: NDArray[np.float32]
    created_at: NDArray[np.int64]
    event_time: NDArray[np.int64]
    invalidated_at: NDArray[np.int64]
    expires_at: NDArray[np.int64]
    last_activated_at: NDArray[np.int64]
    turn: NDArray[np.int64]
    own_length: NDArray[np.uint32]
    context_length: NDArray[np.uint32]


COLUMN_KINDS: dict[str, type[np.generic]] = {
    "vid": np.int64,
    "flags": np.uint8,
    "scripts": np.uint8,
    "memory_type": np.uint8,
    "status": np.uint8,
    "layer": np.uint8,
    "importance": np.float64,
    "confidence": np.float64,
    "arousal": np.float32,
    "valence": np.float32,
    "created_at": np.int64,
    "event_time": np.int64,
    "invalidated_at": np.int64,
    "expires_at": np.int64,
    "last_activated_at": np.int64,
    "turn": np.int64,
    "own_length": np.uint32,
    "context_length": np.uint32,
}
"""The columns and what they hold, in the order of `Columns`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StringColumn:
    """A column of strings that repeat.

    Attributes:
        codes: ``(n,)`` int32 index into the values, -1 for None.
        hashes: ``(v,)`` uint64 `text_hash` of each value.
        values: ``v`` strings.
    """

    codes: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    values: Sequence[str]

    def code_of(self, value: str) -> int:
        """The code of a value; -2, which no row has, when it does not occur."""
        found = np.flatnonzero(self.hashes == np.uint64(text_hash(value)))
        return int(found[0]) if len(found) else -2

    def texts_at(self, rows: NDArray[np.int64]) -> list[str | None]:
        """The strings of some rows."""
        codes = self.codes[rows].astype(np.int64)
        occurring = distinct(codes[codes >= 0])
        values = strings_at(self.values, occurring)
        known = dict(zip(occurring.tolist(), values, strict=True))
        return [known.get(code) for code in codes.tolist()]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrder:
    """The turns of every session in order.

    Attributes:
        sessions: ``(s,)`` uint64 hashes of the sessions, ascending.
        keys: ``(m,)`` int64, position of the session shifted by 32 bits plus the turn, ascending;
            equal ones in the order of rows.
        rows: ``(m,)`` int64, the row of each key.
    """

    sessions: NDArray[np.uint64]
    keys: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, session: StringColumn, turn: NDArray[np.int64]) -> "TurnOrder":
        """Sort the rows that have a session and a turn."""
        rows = np.flatnonzero((session.codes >= 0) & (turn >= 0))
        if not len(rows):
            empty = np.zeros(0, dtype=np.int64)
            return cls(sessions=np.zeros(0, dtype=np.uint64), keys=empty, rows=empty)
        sessions, position = np.unique(session.hashes, return_inverse=True)
        keys = (position.astype(np.int64)[session.codes[rows]] << 32) + turn[rows]
        order = np.argsort(keys, kind="stable")
        return cls(sessions=sessions, keys=keys[order], rows=rows[order])


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What holds of all rows and spares looking at each.

    Attributes:
        statuses: Bit set of the statuses that occur.
        earliest_expiry: The smallest ``expires_at``.
        has_one_vector_each: Row i has exactly vector i.
    """

    statuses: int
    earliest_expiry: int
    has_one_vector_each: bool


def summary_of(columns: Columns, vector_rows: NDArray[np.int64]) -> Summary:
    """Look at every row once."""
    occurring = np.bincount(columns.status, minlength=1)
    return Summary(
        statuses=sum(1 << code for code, count in enumerate(occurring.tolist()) if count),
        earliest_expiry=int(columns.expires_at.min(initial=NEVER)),
        has_one_vector_each=np.array_equal(vector_rows, np.arange(len(columns.vid))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Rows of one namespace, never changed once made.

    Attributes:
        revision: Revision of the model whose vectors it holds; rows of others have none.
        columns: What every row has.
        ids: ``n`` memory ids.
        session: Session ids.
        speaker: Speakers.
        agent: Agent ids.
        user: User ids.
        vectors: ``(v, dims)`` float16.
        vector_rows: ``(v,)`` int64 ascending, the row of each vector.
        token_bits: ``(t, dims // 8)`` uint8.
        token_starts: ``(n + 1,)`` int64, where the token bits of each row begin.
        terms: Postings of the terms.
        tags: Postings of the tags' hashes.
        turns: The turns in order.
        summary: What holds of all rows.
    """

    revision: str
    columns: Columns
    ids: Sequence[str]
    session: StringColumn
    speaker: StringColumn
    agent: StringColumn
    user: StringColumn
    vectors: NDArray[np.float16]
    vector_rows: NDArray[np.int64]
    token_bits: NDArray[np.uint8]
    token_starts: NDArray[np.int64]
    terms: Postings
    tags: Postings
    turns: TurnOrder
    summary: Summary

    @property
    def row_count(self) -> int:
        """Number of rows, dead ones too."""
        return len(self.columns.vid)


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePart:
    """A part and which of its rows are alive at one moment.

    Attributes:
        part: The rows.
        alive: ``(n,)`` bool; None when all are.
        live_count: Rows alive.
        own_total: Sum of their ``own_length``.
        context_total: Sum of their ``context_length``.
    """

    part: Part
    alive: NDArray[np.bool_] | None
    live_count: int
    own_total: int
    context_total: int

    @classmethod
    def of(cls, part: Part, alive: NDArray[np.bool_] | None = None) -> "LivePart":
        """Count what is alive."""
        own, context = part.columns.own_length, part.columns.context_length
        if alive is not None:
            own, context = own[alive], context[alive]
        return cls(
            part=part,
            alive=alive,
            live_count=len(own),
            own_total=int(own.sum(dtype=np.int64)),
            context_total=int(context.sum(dtype=np.int64)),
        )

    def without(self, vids: NDArray[np.int64]) -> "LivePart":
        """The same with more rows dead; vids of other parts are ignored."""
        rows = rows_of(self.part.columns.vid, vids)
        if not len(rows):
            return self
        alive = np.ones(self.part.row_count, dtype=np.bool_)
        if self.alive is not None:
            alive[:] = self.alive
        alive[rows] = False
        return LivePart.of(self.part, alive)


def rows_of(sorted_vids: NDArray[np.int64], vids: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of those vids that occur in an ascending column."""
    if not len(sorted_vids):
        return np.zeros(0, dtype=np.int64)
    rows = np.minimum(np.searchsorted(sorted_vids, vids), len(sorted_vids) - 1)
    return rows[sorted_vids[rows] == vids]
