"""Scoring data that a process has read from the index, kept for the next search.

A search looks at hundreds of memories, and searches of one namespace mostly at the same ones. What
is indexed under a version never changes, so it is read once.
"""

import base64
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from omoide.adapters.opensearch.requests import Hit
from omoide.engine.codec import Body, read_body, read_headers

BUDGET_BYTES = 64 << 20
"""Of all rows kept: about 15,000 memories of 30 words."""

_ROW_BYTES = 1_500
"""Of a row beside its scoring data, about."""

_PADDING = "=="
"""The node leaves it out; more than is needed does no harm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory as it is indexed.

    Attributes:
        version: `omoide.ports.scoring_source.IndexEntry.index_version`.
        place: Its namespace and the token of its turn; None without one.
        scoring: Its scoring data.
        body: The same, read.
    """

    version: int
    place: tuple[str, str] | None
    scoring: bytes
    body: Body

    @property
    def size(self) -> int:
        """Memory it takes, about."""
        return len(self.scoring) + _ROW_BYTES


class KeptRows:
    """The rows read last, by memory.

    Args:
        budget_bytes: Memory of all of them; the least recently used go first.
    """

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._rows: OrderedDict[str, Row] = OrderedDict()
        self._places: Counter[tuple[str, str]] = Counter()
        self._size = 0

    def row_of(self, hit: Hit) -> Row | None:
        """The row of a hit; None unless it was read in its version."""
        with self._lock:
            row = self._rows.get(hit.memory_id)
            if row is None or row.version != hit.version:
                return None
            self._rows.move_to_end(hit.memory_id)
            return row

    def has_place(self, namespace: str, place: str) -> bool:
        """Whether some memory at a turn is kept; it may be an older version."""
        with self._lock:
            return (namespace, place) in self._places

    def keep(self, namespace: str, hits: Iterable[Hit]) -> dict[str, Row]:
        """Keep what hits brought along, and return it by memory."""
        read = {hit.memory_id: _read(namespace, hit) for hit in hits if hit.payload is not None}
        with self._lock:
            for memory_id, row in read.items():
                self._put(memory_id, row)
            while self._size > self._budget_bytes:
                self._forget(next(iter(self._rows)))
        return read

    def _put(self, memory_id: str, row: Row) -> None:
        known = self._rows.get(memory_id)
        if known is not None and known.version > row.version:
            return
        self._forget(memory_id)
        self._rows[memory_id] = row
        self._size += row.size
        if row.place is not None:
            self._places[row.place] += 1

    def _forget(self, memory_id: str) -> None:
        row = self._rows.pop(memory_id, None)
        if row is None:
            return
        self._size -= row.size
        if row.place is not None:
            self._places[row.place] -= 1
            if not self._places[row.place]:
                del self._places[row.place]


def _read(namespace: str, hit: Hit) -> Row:
    scoring = base64.urlsafe_b64decode((hit.payload or "") + _PADDING)
    (header,) = read_headers([scoring])
    return Row(
        version=hit.version,
        place=None if hit.place is None else (namespace, hit.place),
        scoring=scoring,
        body=read_body(header, scoring),
    )
