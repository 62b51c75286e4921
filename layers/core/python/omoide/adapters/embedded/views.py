"""What one process has read of one namespace's index."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from omoide.adapters.embedded.database import Connection
from omoide.adapters.embedded.view_room import ViewRoom
from omoide.engine.part import LivePart
from omoide.engine.segment import UnreadableSegmentError, read_segment
from omoide.engine.tail import StoredRow, Tail

_BATCH = 2_048
_MANY_DEAD = 1_024
_EMPTY_BYTES = 16_000
"""Of a view of one memory, measured: objects, not what they hold."""

_SEGMENT_BYTES = 30_000
"""Of the objects that describe a mapped file, measured."""


class NamespaceView:
    """The segments and the tail of a namespace, brought up to date on demand.

    The parts it hands out never change, so a search may go on while the view is refreshed.

    Args:
        nid: Number of the namespace.
        folder: Where segment files are.
        revision: Revision of the model whose vectors are read.
        dims: Length of a vector.
        row_limit: At most so many rows are read beyond the segments; None reads all.

    Attributes:
        nid: Number of the namespace.
        segments: By number, in the order of their vids.
        high: The segments cover vids up to this one.
        last_vid: Vids up to this one were read.
        dead_seen: Deaths up to this number were applied.
        asked_at_s: When maintenance was last asked for because of dead rows, monotonic.
    """

    def __init__(
        self, nid: int, folder: Path, *, revision: str, dims: int, row_limit: int | None = None
    ) -> None:
        self.nid = nid
        self._folder = folder
        self._revision = revision
        self._dims = dims
        self._row_limit = row_limit
        self.segments: dict[int, SegmentView] = {}
        self.dead_seen = 0
        self.asked_at_s = -math.inf
        self._latest_death = 0
        self._start_tail(0)

    @property
    def allocated_bytes(self) -> int:
        """Private memory, about; mapped files belong to the operating system."""
        segments = sum(segment.allocated_bytes for segment in self.segments.values())
        return _EMPTY_BYTES + segments + self._tail.allocated_bytes + _mask_bytes(self._live_tail)

    @property
    def room(self) -> ViewRoom:
        """What it takes of the process."""
        return ViewRoom(memory_bytes=self.allocated_bytes, files=len(self.segments))

    @property
    def has_dead_in_files(self) -> bool:
        """Whether a segment holds rows that are dead."""
        return any(segment.live.alive is not None for segment in self.segments.values())

    @property
    def tail(self) -> LivePart:
        """The rows beyond the segments."""
        return self._live_tail

    @property
    def parts(self) -> tuple[LivePart, ...]:
        """All parts in the order of their vids."""
        return (*(segment.live for segment in self.segments.values()), self._live_tail)

    def refresh(self, connection: Connection) -> None:
        """Read what was committed since the last time, in one read transaction.

        After any error but `UnreadableSegmentError` the view is of no more use.

        Raises:
            UnreadableSegmentError: A segment was merged away just now (another try finds the new
                one), is damaged, or does not follow the one before.
            IncompatibleDataError: A newer program wrote some of it.
            OSError: A segment file cannot be read for another reason.
        """
        connection.execute("BEGIN")
        try:
            self._drop_what_was_forgotten(connection)
            self._refresh_segments(connection)
            rows = self._new_rows(connection)
            dead = self._new_dead(connection)
        finally:
            connection.execute("COMMIT")
        self._apply(rows, dead)

    def _start_tail(self, high: int) -> None:
        self.high = high
        self.last_vid = high
        self._tail = Tail(revision=self._revision, dims=self._dims)
        self._live_tail = LivePart.of(self._tail.snapshot())

    def _drop_what_was_forgotten(self, connection: Connection) -> None:
        """Begin anew when deaths were forgotten that this view has not seen."""
        row = connection.execute(
            "SELECT dead_floor FROM namespace WHERE nid = ?", (self.nid,)
        ).fetchone()
        floor: int = 0 if row is None else row[0]
        if floor > self._latest_death:
            self._start_tail(self.high)
            self._latest_death = floor

    def _refresh_segments(self, connection: Connection) -> None:
        rows = connection.execute(
            "SELECT sid, low, high, file FROM segment WHERE nid = ? ORDER BY low", (self.nid,)
        ).fetchall()
        if [row[0] for row in rows] == list(self.segments):
            return
        if not is_unbroken([(low, high) for _, low, high, _ in rows]):
            raise UnreadableSegmentError("the segments leave a gap")
        opened: dict[int, SegmentView] = {}
        for sid, low, high, file in rows:
            known = self.segments.get(sid)
            opened[sid] = known or SegmentView(self._folder / file, low, high)
        self.segments = opened
        high = rows[-1][2] if rows else 0
        if high != self.high:
            self._start_tail(high)
        self.dead_seen = 0

    def _new_rows(self, connection: Connection) -> list[StoredRow]:
        limit = -1 if self._row_limit is None else self._row_limit
        rows = connection.execute(
            "SELECT vid, memory_id, data FROM scoring WHERE nid = ? AND vid > ?"
            " ORDER BY vid LIMIT ?",
            (self.nid, self.last_vid, limit),
        )
        new: list[StoredRow] = []
        for vid, memory_id, blob in rows:
            new.append(StoredRow(vid=vid, memory_id=memory_id, blob=blob))
            if len(new) == _BATCH:
                self._extend(new)
                new = []
        return new

    def _extend(self, rows: Sequence[StoredRow]) -> None:
        self._tail.extend(rows)
        if rows:
            self.last_vid = rows[-1].vid

    def _new_dead(self, connection: Connection) -> list[int]:
        rows = connection.execute(
            "SELECT dseq, vid FROM dead WHERE nid = ? AND dseq > ? ORDER BY dseq",
            (self.nid, self.dead_seen),
        ).fetchall()
        if rows:
            self.dead_seen = rows[-1][0]
            self._latest_death = max(self._latest_death, self.dead_seen)
        return [row[1] for row in rows]

    def _apply(self, rows: Sequence[StoredRow], dead: Sequence[int]) -> None:
        self._extend(rows)
        if len(self._tail) != self._live_tail.part.row_count:
            part = self._tail.snapshot()
            alive = self._live_tail.alive
            if alive is not None:
                added = part.row_count - len(alive)
                alive = np.concatenate([alive, np.ones(added, dtype=np.bool_)])
            self._live_tail = LivePart.of(part, alive)
        if dead:
            vids = np.array(dead, dtype=np.int64)
            self._live_tail = self._live_tail.without(vids)
            for segment in self.segments.values():
                segment.live = segment.live.without(vids)

    @property
    def is_mostly_dead(self) -> bool:
        """Whether reading the tail again would save much."""
        dead = self._live_tail.part.row_count - self._live_tail.live_count
        return dead > max(_MANY_DEAD, self._live_tail.live_count)


class SegmentView:
    """A segment file and which of its rows are alive.

    Args:
        path: The file.
        low: It covers vids above this one.
        high: It covers vids up to this one.
    """

    def __init__(self, path: Path, low: int, high: int) -> None:
        self.path = path
        self.low = low
        self.high = high
        self.live = LivePart.of(read_segment(path))

    @property
    def allocated_bytes(self) -> int:
        """Private memory, about."""
        return _SEGMENT_BYTES + _mask_bytes(self.live)


def is_unbroken(spans: Sequence[tuple[int, int]]) -> bool:
    """Whether segments, each ``(low, high)``, cover all vids from 0 to the highest, each once."""
    highs = (0, *(high for _, high in spans))
    return all(low == before for (low, _), before in zip(spans, highs, strict=False))


def _mask_bytes(live: LivePart) -> int:
    return 0 if live.alive is None else live.alive.nbytes
