"""Deleting what is gone for good, a little at a time, so that no write waits for it."""

import json
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np

from omoide.adapters.embedded.database import Connection, Database
from omoide.adapters.embedded.views import NamespaceView
from omoide.engine.part import rows_of
from omoide.engine.times import microseconds

TOMBSTONE_LIFE = timedelta(days=7)
_TOGETHER = 200
"""Rows deleted in one transaction: a few milliseconds."""

_PAUSE_S = 0.002
"""Between two transactions: whoever waits to write comes first."""


def purge_tombstones(database: Database, now: datetime) -> None:
    """Delete what is left of memories that were deleted long ago."""
    oldest_kept = microseconds(now - TOMBSTONE_LIFE)
    with database.reading() as connection:
        expired = [
            row[0]
            for row in connection.execute(
                "SELECT rid FROM memory WHERE deleted_at < ?", (oldest_kept,)
            )
        ]
    for rids in _portions(expired):
        with database.writing() as connection:
            # A number may be another memory's by now.
            connection.execute(
                "DELETE FROM memory WHERE rid IN (SELECT value FROM json_each(?))"
                " AND deleted_at < ?",
                (json.dumps(rids), oldest_kept),
            )


def forget_merged_deaths(database: Database, nid: int, seen: int, low: int, high: int) -> None:
    """Forget deaths of rows that a new file has left out.

    Args:
        database: The data file.
        nid: Number of the namespace.
        seen: Deaths up to this number were left out; a later one must keep its row.
        low: The file covers vids above this one.
        high: It covers vids up to this one.
    """
    with database.reading() as connection:
        deaths = connection.execute(
            "SELECT dseq FROM dead WHERE nid = ? AND dseq <= ? AND vid > ? AND vid <= ?",
            (nid, seen, low, high),
        ).fetchall()
    for dseqs in _portions([row[0] for row in deaths]):
        with database.writing() as connection:
            _delete_deaths(connection, dseqs)


def forget_deaths_in_no_file(database: Database, view: NamespaceView) -> None:
    """Forget deaths of rows that no file holds: no new reader needs them.

    Readers who have not seen them find ``dead_floor`` raised and read the tail again.
    """
    with database.reading() as connection:
        deaths = connection.execute(
            "SELECT dseq, vid FROM dead WHERE nid = ? AND dseq <= ?", (view.nid, view.dead_seen)
        ).fetchall()
    for dseqs in _portions(_in_no_file(deaths, view)):
        with database.writing() as connection:
            _delete_deaths(connection, dseqs)
            connection.execute(
                "UPDATE namespace SET dead_floor = max(dead_floor, ?) WHERE nid = ?",
                (view.dead_seen, view.nid),
            )


def _in_no_file(deaths: Sequence[tuple[int, int]], view: NamespaceView) -> list[int]:
    vids = np.sort(np.array([vid for _, vid in deaths], dtype=np.int64))
    held: set[int] = set()
    for segment in view.segments.values():
        own = segment.live.part.columns.vid
        held.update(own[rows_of(own, vids)].tolist())
    return [dseq for dseq, vid in deaths if vid not in held]


def _portions(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(numbers), _TOGETHER):
        if first:
            time.sleep(_PAUSE_S)
        yield numbers[first : first + _TOGETHER]


def _delete_deaths(connection: Connection, dseqs: Sequence[int]) -> None:
    connection.execute(
        "DELETE FROM dead WHERE dseq IN (SELECT value FROM json_each(?))", (json.dumps(dseqs),)
    )
