"""Making one part of several, without their dead rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.engine.part import (
    COLUMN_KINDS,
    Columns,
    LivePart,
    Part,
    StringColumn,
    TurnOrder,
    summary_of,
)
from omoide.engine.postings import Postings, SortedPostings, merge_postings
from omoide.engine.sets import distinct
from omoide.engine.text import PackedStrings, spans, strings_at

_ROWS_TOGETHER = 2_048


@dataclass(frozen=True, slots=True, kw_only=True)
class _Survivors:
    """The rows of one part that go on.

    Attributes:
        part: The part.
        rows: ``(m,)`` int64 its rows that are alive.
        new_rows: ``(n,)`` uint32 number of each old row among them; meaningless for dead ones.
        alive: ``(n,)`` bool; None when all are.
        base: What is added to the new numbers.
    """

    part: Part
    rows: NDArray[np.int64]
    new_rows: NDArray[np.uint32]
    alive: NDArray[np.bool_] | None
    base: int

    def renumber(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The new numbers of old rows that are alive."""
        return self.new_rows[rows].astype(np.int64) + self.base

    def postings(self, postings: Postings) -> SortedPostings:
        """Postings of the surviving rows, numbered from 0."""
        inverted = postings.invert()
        if self.alive is None:
            return inverted
        return inverted.without(self.alive, self.new_rows)


def merge_parts(parts: Sequence[LivePart], *, revision: str, dims: int) -> Part:
    """Return one part of all rows alive, in the order given (ascending vids).

    Vectors of another revision are left out.
    """
    survivors = _survivors_of(parts)
    columns = Columns(
        **{
            name: _joined([getattr(s.part.columns, name)[s.rows] for s in survivors], kind)
            for name, kind in COLUMN_KINDS.items()
        }
    )
    session = _merge_strings([(s, s.part.session) for s in survivors])
    vectors, vector_rows = _merge_vectors(survivors, revision, dims)
    token_bits, token_starts = _merge_token_bits(survivors, revision, dims)
    return Part(
        revision=revision,
        columns=columns,
        ids=PackedStrings.joined([_surviving_ids(s) for s in survivors]),
        session=session,
        speaker=_merge_strings([(s, s.part.speaker) for s in survivors]),
        agent=_merge_strings([(s, s.part.agent) for s in survivors]),
        user=_merge_strings([(s, s.part.user) for s in survivors]),
        vectors=vectors,
        vector_rows=vector_rows,
        token_bits=token_bits,
        token_starts=token_starts,
        terms=_merge_postings(survivors, lambda part: part.terms),
        tags=_merge_postings(survivors, lambda part: part.tags),
        turns=TurnOrder.of(session, columns.turn),
        summary=summary_of(columns, vector_rows),
    )


def _survivors_of(parts: Sequence[LivePart]) -> list[_Survivors]:
    survivors: list[_Survivors] = []
    base = 0
    for live in parts:
        count = live.part.row_count
        alive = None if live.live_count == count else live.alive
        rows = np.arange(count, dtype=np.int64) if alive is None else np.flatnonzero(alive)
        kept = np.ones(count, dtype=np.bool_) if alive is None else alive
        new_rows = (np.cumsum(kept) - 1).astype(np.uint32)
        survivors.append(
            _Survivors(part=live.part, rows=rows, new_rows=new_rows, alive=alive, base=base)
        )
        base += len(rows)
    return survivors


def _surviving_ids(survivor: _Survivors) -> PackedStrings:
    ids = survivor.part.ids
    if isinstance(ids, PackedStrings):
        return ids if survivor.alive is None else ids.take(survivor.rows)
    return PackedStrings.of(strings_at(ids, survivor.rows))


def _joined(arrays: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype=kind), *arrays])


def _merge_strings(columns: Sequence[tuple[_Survivors, StringColumn]]) -> StringColumn:
    """Join dictionaries by hash; keep the values that still occur."""
    values: dict[int, str] = {}
    codes: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    places: dict[int, int] = {}
    for survivor, column in columns:
        old_codes = column.codes[survivor.rows]
        hashes: list[int] = column.hashes.tolist()
        translation = np.full(len(hashes) + 1, -1, dtype=np.int32)
        occurring: list[int] = distinct(old_codes[old_codes >= 0]).tolist()
        for code in occurring:
            key = hashes[code]
            if key not in places:
                places[key] = len(places)
                values[key] = column.values[code]
            translation[code] = places[key]
        codes.append(translation[old_codes])
    return StringColumn(
        codes=np.concatenate(codes),
        hashes=np.array(list(places), dtype=np.uint64),
        values=PackedStrings.of(values.values()),
    )


def _merge_vectors(
    survivors: Sequence[_Survivors], revision: str, dims: int
) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
    vectors = [np.zeros((0, dims), dtype=np.float16)]
    rows = [np.zeros(0, dtype=np.int64)]
    for survivor in survivors:
        part = survivor.part
        if part.revision != revision:
            continue
        if survivor.alive is None:
            vectors.append(part.vectors)
            rows.append(survivor.renumber(part.vector_rows))
        else:
            kept = np.flatnonzero(survivor.alive[part.vector_rows])
            vectors.append(np.take(part.vectors, kept, axis=0))
            rows.append(survivor.renumber(part.vector_rows[kept]))
    return np.concatenate(vectors), np.concatenate(rows)


def _merge_token_bits(
    survivors: Sequence[_Survivors], revision: str, dims: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    bits = [np.zeros((0, dims // 8), dtype=np.uint8)]
    lengths = [np.zeros(0, dtype=np.int64)]
    for survivor in survivors:
        part = survivor.part
        if part.revision != revision:
            lengths.append(np.zeros(len(survivor.rows), dtype=np.int64))
            continue
        lengths.append(np.diff(part.token_starts)[survivor.rows])
        bits.append(_surviving_bits(survivor))
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.concatenate(lengths))])
    return np.concatenate(bits), starts


def _surviving_bits(survivor: _Survivors) -> NDArray[np.uint8]:
    """Token bits of the rows alive, gathered some rows at a time to keep each step short."""
    bits, starts = survivor.part.token_bits, survivor.part.token_starts
    if survivor.alive is None:
        return bits[starts[0] : starts[-1]]
    gathered = [bits[:0]]
    for first in range(0, len(survivor.rows), _ROWS_TOGETHER):
        rows = survivor.rows[first : first + _ROWS_TOGETHER]
        places = spans(starts[rows], starts[rows + 1] - starts[rows])
        gathered.append(np.take(bits, places, axis=0))
    return np.concatenate(gathered)


def _merge_postings(
    survivors: Sequence[_Survivors], pick: Callable[[Part], Postings]
) -> SortedPostings:
    return merge_postings(
        [s.postings(pick(s.part)) for s in survivors], [s.base for s in survivors]
    )
