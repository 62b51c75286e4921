"""Which rows hold a key, and how often: sorted in a segment, flat in a tail."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omoide.engine.sets import distinct


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """The rows of one key, ``p`` of them.

    Attributes:
        rows: ``(p,)`` uint32 ascending.
        own: ``(p,)`` uint8 occurrences in the memory.
        context: ``(p,)`` uint8 occurrences in memory and previous turn together.
    """

    rows: NDArray[np.uint32]
    own: NDArray[np.uint8]
    context: NDArray[np.uint8]


class Postings(Protocol):
    """Postings of one part."""

    def find(self, keys: NDArray[np.uint64]) -> list[Posting | None]:
        """The posting of each key, None where no row has it."""
        ...

    def invert(self) -> "SortedPostings":
        """The same, sorted by key."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SortedPostings:
    """Postings sorted by key, then row.

    Attributes:
        keys: ``(k,)`` uint64 ascending.
        starts: ``(k + 1,)`` int64, where the rows of each key begin.
        rows: ``(p,)`` uint32.
        own: ``(p,)`` uint8.
        context: ``(p,)`` uint8.
    """

    keys: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: NDArray[np.uint32]
    own: NDArray[np.uint8]
    context: NDArray[np.uint8]

    def find(self, keys: NDArray[np.uint64]) -> list[Posting | None]:
        """The posting of each key."""
        if not len(self.keys):
            return [None] * len(keys)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        is_held = self.keys[places] == keys
        starts, ends = self.starts[places].tolist(), self.starts[places + 1].tolist()
        return [
            self._slice(start, end) if held else None
            for held, start, end in zip(is_held.tolist(), starts, ends, strict=True)
        ]

    def invert(self) -> "SortedPostings":
        """Sorted already."""
        return self

    def without(self, alive: NDArray[np.bool_], new_rows: NDArray[np.uint32]) -> "SortedPostings":
        """The same without dead rows, the others renumbered. Keys may be left without rows."""
        kept = alive[self.rows]
        starts = np.zeros(len(kept) + 1, dtype=np.int64)
        np.cumsum(kept, out=starts[1:])
        return SortedPostings(
            keys=self.keys,
            starts=starts[self.starts],
            rows=new_rows[self.rows[kept]],
            own=self.own[kept],
            context=self.context[kept],
        )

    def _slice(self, start: int, end: int) -> Posting:
        return Posting(
            rows=self.rows[start:end], own=self.own[start:end], context=self.context[start:end]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatPostings:
    """Postings in the order of rows, scanned when asked: one more row costs nothing.

    Attributes:
        keys: ``(p,)`` uint64.
        rows: ``(p,)`` uint32 ascending.
        own: ``(p,)`` uint8.
        context: ``(p,)`` uint8.
    """

    keys: NDArray[np.uint64]
    rows: NDArray[np.uint32]
    own: NDArray[np.uint8]
    context: NDArray[np.uint8]

    def find(self, keys: NDArray[np.uint64]) -> list[Posting | None]:
        """The posting of each key."""
        if not len(self.keys) or not len(keys):
            return [None] * len(keys)
        wanted = np.zeros(1 << 16, dtype=np.bool_)
        wanted[keys.astype(np.uint16)] = True
        places = np.flatnonzero(wanted[self.keys.astype(np.uint16)])
        candidates = self.keys[places]
        return [self._take(places[candidates == key]) for key in keys]

    def invert(self) -> SortedPostings:
        """The same, sorted by key."""
        order = np.argsort(self.keys, kind="stable")
        sorted_keys = self.keys[order]
        is_first = np.ones(len(order), dtype=np.bool_)
        is_first[1:] = sorted_keys[1:] != sorted_keys[:-1]
        firsts = np.flatnonzero(is_first)
        return SortedPostings(
            keys=sorted_keys[firsts],
            starts=np.append(firsts, len(order)).astype(np.int64),
            rows=self.rows[order],
            own=self.own[order],
            context=self.context[order],
        )

    def _take(self, places: NDArray[np.int64]) -> Posting | None:
        if not len(places):
            return None
        return Posting(rows=self.rows[places], own=self.own[places], context=self.context[places])


_CHUNK = 1 << 18


def merge_postings(inputs: Sequence[SortedPostings], bases: Iterable[int]) -> SortedPostings:
    """Merge linearly: nothing is sorted again, since each input's rows come after the former's.

    Args:
        inputs: Postings of parts in the order of their rows.
        bases: What is added to the row numbers of each.
    """
    keys = distinct(np.concatenate([np.zeros(0, dtype=np.uint64), *(p.keys for p in inputs)]))
    places = [np.searchsorted(keys, p.keys) for p in inputs]
    counts = np.zeros(len(keys), dtype=np.int64)
    for postings, place in zip(inputs, places, strict=True):
        counts[place] += np.diff(postings.starts)
    starts = np.zeros(len(keys) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    total = int(counts.sum())
    merged = SortedPostings(
        keys=keys,
        starts=starts,
        rows=np.empty(total, dtype=np.uint32),
        own=np.empty(total, dtype=np.uint8),
        context=np.empty(total, dtype=np.uint8),
    )
    filled = starts[:-1].copy()
    for postings, place, base in zip(inputs, places, bases, strict=True):
        _copy(postings, merged, filled[place], base)
        filled[place] += np.diff(postings.starts)
    return _without_empty_keys(merged)


def _copy(
    source: SortedPostings, target: SortedPostings, places: NDArray[np.int64], base: int
) -> None:
    """Copy each key's rows to its place, a quarter of a million at a time: steps stay short."""
    first, key_count = 0, len(source.keys)
    while first < key_count:
        limit = int(source.starts[first]) + _CHUNK
        last = max(first + 1, int(np.searchsorted(source.starts, limit, side="right")) - 1)
        last = min(last, key_count)
        start, end = int(source.starts[first]), int(source.starts[last])
        shift = places[first:last] - source.starts[first:last]
        lengths = np.diff(source.starts[first : last + 1])
        to = np.repeat(shift, lengths) + np.arange(start, end, dtype=np.int64)
        target.rows[to] = source.rows[start:end] + np.uint32(base)
        target.own[to] = source.own[start:end]
        target.context[to] = source.context[start:end]
        first = last


def _without_empty_keys(postings: SortedPostings) -> SortedPostings:
    starts = postings.starts
    held = np.diff(starts) > 0
    if held.all():
        return postings
    return SortedPostings(
        keys=postings.keys[held],
        starts=np.concatenate([starts[np.flatnonzero(held)], starts[-1:]]),
        rows=postings.rows,
        own=postings.own,
        context=postings.context,
    )
