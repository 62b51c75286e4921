"""Turning long tails into segment files and merging those, by any process, off the request path."""

import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from omoide.adapters.embedded.database import Connection, Database, SqlValue, translated_errors
from omoide.adapters.embedded.file_lock import FileLock
from omoide.adapters.embedded.forgetting import (
    forget_deaths_in_no_file,
    forget_merged_deaths,
    purge_tombstones,
)
from omoide.adapters.embedded.giving_way import giving_way
from omoide.adapters.embedded.views import NamespaceView, SegmentView, is_unbroken
from omoide.engine.merge import merge_parts
from omoide.engine.segment import write_segment
from omoide.ports.clock import Clock

LARGEST_SEGMENT = 131_072
LONGEST_TAIL = 16_384
SMALLEST_SEGMENT = 256
FAN_OUT = 4
DEAD_ROW_LIFE = timedelta(days=1)
"""A segment file older than this gives up its dead rows."""


_Numbered = tuple[int, SegmentView]


class _Merge(NamedTuple):
    """Segments that follow one another, and perhaps the tail, to become one segment."""

    taken: Sequence[_Numbered]
    has_tail: bool


class _OvertakenError(Exception):
    """The segments are no longer those that were merged."""


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

    def run(self, nid: int, *, is_forced: bool = False, is_crowded_out: bool = False) -> bool:
        """Do one step for a namespace unless another process is at it; whether more may be due.

        Args:
            nid: Number of the namespace.
            is_forced: Make one segment of everything, so that no trace of what was deleted stays.
            is_crowded_out: A process has no room to keep its rows in memory: a tail of
                `SMALLEST_SEGMENT` rows becomes a segment.

        Raises:
            UnavailableError: The folder cannot be read or written.
        """
        with translated_errors(self._database.path), giving_way():
            purge_tombstones(self._database, self._clock.now())
            least = self._segment_rows
            if is_crowded_out:
                least = min(least, SMALLEST_SEGMENT)
            if not is_forced and not self._is_due(nid, least):
                return False
            with contextlib.closing(FileLock(self._segments / f"{nid}.lock")) as lock:
                return lock.try_acquire() and self._step(nid, least, is_forced=is_forced)

    def rebuild(self, nid: int) -> None:
        """Make the files of a namespace anew from the records; waits for who is at them.

        Raises:
            UnavailableError: The folder cannot be read or written.
        """
        with (
            translated_errors(self._database.path),
            giving_way(),
            FileLock(self._segments / f"{nid}.lock"),
        ):
            forget_segments(self._database, nid)
            while self._step(nid, self._segment_rows, is_forced=False):
                continue

    def _is_due(self, nid: int, least: int) -> bool:
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT (SELECT count(*) FROM (SELECT 1 FROM scoring WHERE nid = ?1 AND vid >"
                " coalesce((SELECT max(high) FROM segment WHERE nid = ?1), 0) LIMIT ?2)),"
                " (SELECT count(*) FROM (SELECT 1 FROM dead WHERE nid = ?1 LIMIT ?2))",
                (nid, least),
            ).fetchone()
            with_dead = connection.execute(
                "SELECT file FROM segment s WHERE nid = ? AND EXISTS (SELECT 1 FROM dead d"
                " WHERE d.nid = s.nid AND d.vid > s.low AND d.vid <= s.high)",
                (nid,),
            ).fetchall()
        if row is not None and max(row) >= least:
            return True
        return any(self._is_old(self._segments / file) for (file,) in with_dead)

    def _is_old(self, file: Path) -> bool:
        """Whether what is dead in a segment file has to leave it: none stays for long."""
        try:
            made_at = file.stat().st_mtime
        except FileNotFoundError:
            return False
        return self._clock.now().timestamp() - made_at > DEAD_ROW_LIFE.total_seconds()

    def _step(self, nid: int, least: int, *, is_forced: bool) -> bool:
        with contextlib.closing(self._database.connect()) as connection:
            view = NamespaceView(
                nid,
                self._segments,
                revision=self._revision,
                dims=self._dims,
                row_limit=None if is_forced else LONGEST_TAIL,
            )
            view.refresh(connection)
            self._collect_orphans(connection, nid)
        if is_forced:
            merge = self._forced(view)
        else:
            merge = self._chosen(view, least) or self._cleansed(view)
        if merge is None:
            forget_deaths_in_no_file(self._database, view)
            return False
        self._publish(view, merge)
        return True

    def _forced(self, view: NamespaceView) -> _Merge | None:
        taken = list(view.segments.items())
        return _Merge(taken, has_tail=True) if taken or view.tail.live_count else None

    def _chosen(self, view: NamespaceView, least: int) -> _Merge | None:
        """The newest run of segments to merge with the tail; None when nothing is to be done."""
        segments = list(view.segments.items())
        taken: list[_Numbered] = []
        size = view.tail.live_count
        if size < least and not any(_is_mostly_dead(s) for _, s in segments):
            return None
        for sid, segment in reversed(segments):
            rows = segment.live.live_count
            is_small = rows <= size * (FAN_OUT - 1) and size + rows <= LARGEST_SEGMENT
            if not is_small and not any(_is_mostly_dead(s) for s in _up_to(segments, sid)):
                break
            taken.insert(0, (sid, segment))
            size += rows
        return _Merge(taken, has_tail=True)

    def _cleansed(self, view: NamespaceView) -> _Merge | None:
        """A segment to write again by itself because it has held dead rows for long."""
        for sid, segment in view.segments.items():
            has_dead = segment.live.live_count < segment.live.part.row_count
            if has_dead and self._is_old(segment.path):
                return _Merge([(sid, segment)], has_tail=False)
        return None

    def _publish(self, view: NamespaceView, merge: _Merge) -> None:
        """Put the merged file in the place of its sources, if these are still what readers read."""
        low = merge.taken[0][1].low if merge.taken else view.high
        high = view.last_vid if merge.has_tail else merge.taken[-1][1].high
        parts = [segment.live for _, segment in merge.taken]
        parts = [live for live in (*parts, *[view.tail] * merge.has_tail) if live.live_count]
        rows = sum(live.live_count for live in parts)
        file = self._segments / f"{view.nid}-{low}-{high}-{time.time_ns():x}.seg"
        if rows:
            merged = merge_parts(parts, revision=self._revision, dims=self._dims)
            write_segment(file, merged)
        self._before_publishing()
        published = (view.nid, low, high, rows, file.name) if rows else None
        try:
            with self._database.writing() as connection:
                _replace(connection, view.nid, [sid for sid, _ in merge.taken], published)
        except _OvertakenError:
            _remove(file)
            return
        for _, segment in merge.taken:
            _remove(segment.path)
        forget_merged_deaths(self._database, view.nid, view.dead_seen, low, high)

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


def _replace(
    connection: Connection, nid: int, sids: Sequence[int], published: Sequence[SqlValue] | None
) -> None:
    """Put one segment, or nothing, in the place of others.

    Raises:
        _OvertakenError: One of them is gone, or the segments would no longer follow one another
            without a gap: rows in a gap would be lost to every search.
    """
    for sid in sids:
        connection.execute("DELETE FROM segment WHERE sid = ?", (sid,))
        if connection.changes() != 1:
            raise _OvertakenError
    if published is not None:
        connection.execute(
            "INSERT INTO segment(nid, low, high, rows, file) VALUES (?, ?, ?, ?, ?)", published
        )
    spans = connection.execute(
        "SELECT low, high FROM segment WHERE nid = ? ORDER BY low", (nid,)
    ).fetchall()
    if not is_unbroken(spans):
        raise _OvertakenError


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
