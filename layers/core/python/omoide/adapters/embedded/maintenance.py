"""Turning long tails into segment files and merging those, by any process, off the request path."""

import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from omoide.adapters.embedded.database import Connection, Database
from omoide.adapters.embedded.file_lock import FileLock
from omoide.adapters.embedded.views import NamespaceView, SegmentView
from omoide.engine.merge import merge_parts
from omoide.engine.segment import write_segment
from omoide.engine.times import microseconds
from omoide.ports.clock import Clock

LARGEST_SEGMENT = 131_072
LONGEST_TAIL = 16_384
FAN_OUT = 4
TOMBSTONE_LIFE = timedelta(days=7)


_Numbered = tuple[int, SegmentView]


def _go_on() -> None:
    return


class Maintenance:
    """Keeps the index of each namespace in few files. Losing all of them loses nothing.

    Args:
        database: The data file.
        segments: Folder of the segment files.
        clock: The time of day, for the age of tombstones.
        revision: Revision of the embedding model.
        dims: Length of a vector.
        segment_rows: A tail of so many rows becomes a segment.
        before_publishing: Called when a segment is written and not yet known to readers.
    """

    def __init__(
        self,
        database: Database,
        segments: Path,
        clock: Clock,
        *,
        revision: str,
        dims: int,
        segment_rows: int,
        before_publishing: Callable[[], None] = _go_on,
    ) -> None:
        self._database = database
        self._segments = segments
        self._clock = clock
        self._revision = revision
        self._dims = dims
        self._segment_rows = segment_rows
        self._before_publishing = before_publishing

    def run(self, nid: int, *, is_forced: bool = False) -> bool:
        """Do one step for a namespace unless another process is at it; whether it did any.

        Args:
            nid: Number of the namespace.
            is_forced: Make one segment of everything, so that no trace of what was deleted stays.
        """
        if not is_forced and not self._is_due(nid):
            return False
        lock = FileLock(self._segments / f"{nid}.lock")
        if not lock.try_acquire():
            lock.close()
            return False
        try:
            return self._step(nid, is_forced=is_forced)
        finally:
            lock.close()

    def _is_due(self, nid: int) -> bool:
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT (SELECT count(*) FROM (SELECT 1 FROM scoring WHERE nid = ?1 AND vid >"
                " coalesce((SELECT max(high) FROM segment WHERE nid = ?1), 0) LIMIT ?2)),"
                " (SELECT count(*) FROM (SELECT 1 FROM dead WHERE nid = ?1 LIMIT ?2))",
                (nid, self._segment_rows),
            ).fetchone()
        return row is not None and max(row) >= self._segment_rows

    def _step(self, nid: int, *, is_forced: bool) -> bool:
        connection = self._database.connect()
        try:
            view = NamespaceView(
                nid,
                self._segments,
                revision=self._revision,
                dims=self._dims,
                row_limit=None if is_forced else LONGEST_TAIL,
            )
            view.refresh(connection)
            self._collect_orphans(connection, nid)
            taken = self._chosen(view, is_forced=is_forced)
            if taken is None:
                self._forget_dead(view)
                self._purge_tombstones()
                return False
            self._publish(view, taken)
            return True
        finally:
            connection.close()

    def _chosen(self, view: NamespaceView, *, is_forced: bool) -> list[_Numbered] | None:
        """The newest run of segments to merge with the tail; None when nothing is to be done."""
        segments = list(view.segments.items())
        if is_forced:
            return segments if segments or view.tail.live_count else None
        taken: list[_Numbered] = []
        size = view.tail.live_count
        if size < self._segment_rows and not any(_is_mostly_dead(s) for _, s in segments):
            return None
        for sid, segment in reversed(segments):
            rows = segment.live.live_count
            is_small = rows <= size * (FAN_OUT - 1) and size + rows <= LARGEST_SEGMENT
            if not is_small and not any(_is_mostly_dead(s) for s in _up_to(segments, sid)):
                break
            taken.insert(0, (sid, segment))
            size += rows
        return taken

    def _publish(self, view: NamespaceView, taken: Sequence[_Numbered]) -> None:
        low = taken[0][1].low if taken else view.high
        parts = [segment.live for _, segment in taken] + [view.tail]
        parts = [live for live in parts if live.live_count]
        name = f"{view.nid}-{low}-{view.last_vid}-{time.time_ns():x}.seg"
        rows = sum(live.live_count for live in parts)
        if rows:
            merged = merge_parts(parts, revision=self._revision, dims=self._dims)
            write_segment(self._segments / name, merged)
        self._before_publishing()
        with self._database.writing() as connection:
            for sid, _ in taken:
                connection.execute("DELETE FROM segment WHERE sid = ?", (sid,))
            if rows:
                connection.execute(
                    "INSERT INTO segment(nid, low, high, rows, file) VALUES (?, ?, ?, ?, ?)",
                    (view.nid, low, view.last_vid, rows, name),
                )
            # Only what this view saw is in the file: a later death must keep its row.
            connection.execute(
                "DELETE FROM dead WHERE nid = ? AND dseq <= ? AND vid > ? AND vid <= ?",
                (view.nid, view.dead_seen, low, view.last_vid),
            )
        for _, segment in taken:
            _remove(segment.path)

    def _forget_dead(self, view: NamespaceView) -> None:
        """Forget deaths beyond the segments: no new reader needs them.

        Readers who have not seen them find ``dead_floor`` raised and read the tail again.
        """
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM dead WHERE nid = ? AND dseq <= ? AND vid > ?",
                (view.nid, view.dead_seen, view.high),
            )
            if connection.changes():
                connection.execute(
                    "UPDATE namespace SET dead_floor = max(dead_floor, ?) WHERE nid = ?",
                    (view.dead_seen, view.nid),
                )

    def _purge_tombstones(self) -> None:
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM memory WHERE deleted_at < ?",
                (microseconds(self._clock.now() - TOMBSTONE_LIFE),),
            )

    def _collect_orphans(self, connection: Connection, nid: int) -> None:
        """Remove files that a killed process left and those still open when replaced."""
        known = {
            row[0] for row in connection.execute("SELECT file FROM segment WHERE nid = ?", (nid,))
        }
        for path in self._segments.glob(f"{nid}-*"):
            if path.name not in known:
                _remove(path)


def forget_segments(database: Database, nid: int) -> None:
    """Have readers take a whole namespace from the records; maintenance makes new files."""
    with database.writing() as connection:
        connection.execute("DELETE FROM segment WHERE nid = ?", (nid,))


def _is_mostly_dead(segment: SegmentView) -> bool:
    return segment.live.live_count * 2 < segment.live.part.row_count


def _up_to(segments: Sequence[_Numbered], last: int) -> list[SegmentView]:
    """The segments from the oldest to the one with this number."""
    ordered = [sid for sid, _ in segments]
    return [segment for _, segment in segments[: ordered.index(last) + 1]]


def _remove(path: Path) -> None:
    """Remove a file; where it is still mapped (Windows) it is collected later."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
