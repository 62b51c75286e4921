"""Checking a data folder: is the file whole, and does the index equal the records."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from omoide.adapters.embedded.database import (
    Connection,
    DamagedFileError,
    Database,
    translated_errors,
)
from omoide.adapters.embedded.model_binding import ModelBinding
from omoide.adapters.embedded.views import NamespaceView
from omoide.engine.part import LivePart, Part
from omoide.engine.segment import UnreadableSegmentError
from omoide.engine.tail import StoredRow, Tail

_BATCH = 2_048

_CONSISTENCY = (
    (
        "{} memories have no scoring data of their version",
        "SELECT count(*) FROM memory m WHERE shown AND NOT EXISTS (SELECT 1 FROM scoring s"
        " WHERE s.memory_id = m.id AND s.version = m.version AND s.nid = m.nid)",
    ),
    (
        "{} scoring data belong to no memory",
        "SELECT count(*) FROM scoring s WHERE NOT EXISTS (SELECT 1 FROM memory m"
        " WHERE m.id = s.memory_id AND m.shown)",
    ),
    (
        "{} namespaces have a wrong count",
        "SELECT count(*) FROM namespace n WHERE live != (SELECT count(*) FROM memory m"
        " WHERE m.nid = n.nid AND m.shown)",
    ),
    (
        "{} fingerprints belong to no memory",
        "SELECT count(*) FROM fingerprint f WHERE NOT EXISTS (SELECT 1 FROM memory m"
        " WHERE m.id = f.memory_id AND m.nid = f.nid AND m.fingerprint = f.fingerprint"
        " AND m.deleted_at IS NULL)",
    ),
    (
        "{} memories do not hold their fingerprint",
        "SELECT count(*) FROM memory m WHERE fingerprint IS NOT NULL AND deleted_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM fingerprint f WHERE f.nid = m.nid"
        " AND f.fingerprint = m.fingerprint AND f.memory_id = m.id)",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is wrong with a data folder.

    Attributes:
        text: What, in words.
        is_in_index: The records are well: making the index anew cures it.
    """

    text: str
    is_in_index: bool = False

    def __str__(self) -> str:
        return self.text


def verify_folder(database: Database, segments: Path, binding: ModelBinding) -> tuple[Problem, ...]:
    """Return what is wrong; nothing when all is well.

    Reads everything: half a minute for a million memories.

    Raises:
        UnavailableError: The folder cannot be read.
    """
    problems: list[Problem] = []
    try:
        with (
            translated_errors(database.path),
            contextlib.closing(database.connect()) as connection,
        ):
            problems += (Problem(text=text) for text in _record_problems(connection))
            nids = connection.execute("SELECT nid FROM namespace ORDER BY nid").fetchall()
            for (nid,) in nids:
                texts = _index_problems(connection, segments, binding, nid)
                problems += (Problem(text=text, is_in_index=True) for text in texts)
    except DamagedFileError as error:
        problems.append(Problem(text=str(error)))
    return tuple(problems)


def _record_problems(connection: Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield f"the data file is damaged: {line}"
    for message, query in _CONSISTENCY:
        row = connection.execute(query).fetchone()
        if row is not None and row[0]:
            yield message.format(row[0])


def _index_problems(
    connection: Connection, segments: Path, binding: ModelBinding, nid: int
) -> list[str]:
    view = NamespaceView(nid, segments, revision=binding.revision, dims=binding.dims)
    try:
        view.refresh(connection)
    except UnreadableSegmentError as error:
        return [f"a segment file of namespace {nid} cannot be read: {error}"]
    indexed = [
        (int(live.part.columns.vid[row]), live, row)
        for live in view.parts
        for row in _live_rows(live)
    ]
    expected = [
        row[0]
        for row in connection.execute("SELECT vid FROM scoring WHERE nid = ? ORDER BY vid", (nid,))
    ]
    if [vid for vid, _, _ in indexed] != expected:
        difference = len(set(expected) ^ {vid for vid, _, _ in indexed})
        return [f"the index of namespace {nid} differs from its records by {difference} memories"]
    wrong = _different_rows(connection, binding, nid, [(live, row) for _, live, row in indexed])
    if wrong:
        return [f"the index of namespace {nid} holds other data for {wrong} memories"]
    return []


def _live_rows(live: LivePart) -> list[int]:
    if live.alive is None:
        return list(range(live.part.row_count))
    rows: list[int] = np.flatnonzero(live.alive).tolist()
    return rows


def _different_rows(
    connection: Connection, binding: ModelBinding, nid: int, indexed: list[tuple[LivePart, int]]
) -> int:
    """Count the indexed rows that differ from what the records say."""
    wrong = 0
    position = 0
    for batch in _batches(connection, nid):
        tail = Tail(revision=binding.revision, dims=binding.dims)
        tail.extend(batch)
        truth = tail.snapshot()
        for i in range(len(batch)):
            live, row = indexed[position]
            wrong += not _is_same(truth, i, live.part, row)
            position += 1
    return wrong


def _batches(connection: Connection, nid: int) -> Iterator[list[StoredRow]]:
    batch: list[StoredRow] = []
    for vid, memory_id, blob in connection.execute(
        "SELECT vid, memory_id, data FROM scoring WHERE nid = ? ORDER BY vid", (nid,)
    ):
        batch.append(StoredRow(vid=vid, memory_id=memory_id, blob=blob))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _is_same(truth: Part, i: int, part: Part, row: int) -> bool:
    return (
        truth.ids[i] == part.ids[row]
        and truth.columns.status[i] == part.columns.status[row]
        and truth.columns.context_length[i] == part.columns.context_length[row]
        and truth.columns.event_time[i] == part.columns.event_time[row]
        and np.array_equal(_vectors(truth, i), _vectors(part, row))
        and np.array_equal(_bits(truth, i), _bits(part, row))
    )


def _vectors(part: Part, row: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    start, end = np.searchsorted(part.vector_rows, [row, row + 1])
    return part.vectors[start:end]


def _bits(part: Part, row: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return part.token_bits[part.token_starts[row] : part.token_starts[row + 1]]
