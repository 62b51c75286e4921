"""Parts in files: a JSON head, then arrays at multiples of 64 bytes, mapped and never changed."""

import contextlib
import json
import math
import mmap
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from omoide.engine.part import COLUMN_KINDS, Columns, Part, StringColumn, Summary, TurnOrder
from omoide.engine.postings import SortedPostings
from omoide.engine.text import PackedStrings

MAGIC = b"OMOSEG01"
_ALIGNMENT = 64
_SYNC_BYTES = 4 << 20
"""Written between two flushes of the disk: some ten milliseconds of its time."""

_HEAD_LENGTH = struct.Struct("<Q")
_STRING_COLUMNS = ("session", "speaker", "agent", "user")


class UnreadableSegmentError(Exception):
    """A segment file that is missing, cut short or of another format: to be made anew."""


def write_segment(path: Path, part: Part) -> None:
    """Write a part so that the file is there whole or not at all, also after a power cut.

    The part has to be one that `omoide.engine.merge.merge_parts` made.
    """
    arrays = _arrays_of(part)
    shapes: dict[str, tuple[str, tuple[int, ...], int]] = {}
    offset = 0
    for name, array in arrays.items():
        shapes[name] = (array.dtype.str, array.shape, offset)
        offset += _aligned(array.nbytes)
    head = json.dumps(
        {
            "revision": part.revision,
            "summary": asdict(part.summary),
            "arrays": shapes,
        }
    ).encode()
    base = _aligned(len(MAGIC) + _HEAD_LENGTH.size + len(head))
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    unsynced = 0
    try:
        with draft.open("wb") as file:
            file.write(MAGIC + _HEAD_LENGTH.pack(len(head)) + head)
            for name, array in arrays.items():
                file.seek(base + shapes[name][2])
                unsynced = _write_all(file, array, unsynced)
            file.truncate(base + offset)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(0o600)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _write_all(file: BinaryIO, array: NDArray[Any], unsynced: int) -> int:
    """Write an array, flushing the disk now and then: a commit's own flush waits for this one's.

    Returns:
        Bytes written since the last flush.
    """
    octets = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for first in range(0, len(octets), _SYNC_BYTES):
        piece = octets[first : first + _SYNC_BYTES]
        file.write(piece.data)
        unsynced += len(piece)
        if unsynced >= _SYNC_BYTES:
            file.flush()
            os.fsync(file.fileno())
            unsynced = 0
    return unsynced


def read_segment(path: Path) -> Part:
    """Map a file that `write_segment` wrote.

    Raises:
        UnreadableSegmentError: It is gone, or no whole file of this format.
        OSError: It cannot be read for another reason, which says nothing about the file.
    """
    try:
        return _read(path)
    except (FileNotFoundError, ValueError, KeyError, TypeError, struct.error) as error:
        raise UnreadableSegmentError(f"{path.name}: {error}") from error


def _read(path: Path) -> Part:
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if mapped[: len(MAGIC)] != MAGIC:
        raise ValueError("not a segment of this format")
    (length,) = _HEAD_LENGTH.unpack_from(mapped, len(MAGIC))
    start = len(MAGIC) + _HEAD_LENGTH.size
    head = json.loads(mapped[start : start + length])
    base = _aligned(start + length)
    arrays: dict[str, NDArray[Any]] = {}
    for name, (kind, shape, offset) in head["arrays"].items():
        count = math.prod(shape)
        array = np.frombuffer(mapped, np.dtype(kind), count, base + offset if count else 0)
        arrays[name] = array.reshape(shape)
    return _part_of(arrays, revision=head["revision"], summary=Summary(**head["summary"]))


def _arrays_of(part: Part) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {name: getattr(part.columns, name) for name in COLUMN_KINDS}
    arrays |= _strings_of("id", part.ids)
    for name in _STRING_COLUMNS:
        column: StringColumn = getattr(part, name)
        arrays |= {f"{name}.codes": column.codes, f"{name}.hashes": column.hashes}
        arrays |= _strings_of(name, column.values)
    for name in ("terms", "tags"):
        postings: SortedPostings = getattr(part, name)
        for field in ("keys", "starts", "rows", "own", "context"):
            arrays[f"{name}.{field}"] = getattr(postings, field)
    return arrays | {
        "vectors": part.vectors,
        "vector_rows": part.vector_rows,
        "token_bits": part.token_bits,
        "token_starts": part.token_starts,
        "turns.sessions": part.turns.sessions,
        "turns.keys": part.turns.keys,
        "turns.rows": part.turns.rows,
    }


def _part_of(arrays: Mapping[str, NDArray[Any]], *, revision: str, summary: Summary) -> Part:
    def column(name: str) -> StringColumn:
        return StringColumn(
            codes=arrays[f"{name}.codes"],
            hashes=arrays[f"{name}.hashes"],
            values=PackedStrings(arrays[f"{name}.starts"], arrays[f"{name}.octets"]),
        )

    def postings(name: str) -> SortedPostings:
        fields = ("keys", "starts", "rows", "own", "context")
        return SortedPostings(**{field: arrays[f"{name}.{field}"] for field in fields})

    return Part(
        revision=revision,
        columns=Columns(**{name: arrays[name] for name in COLUMN_KINDS}),
        ids=PackedStrings(arrays["id.starts"], arrays["id.octets"]),
        session=column("session"),
        speaker=column("speaker"),
        agent=column("agent"),
        user=column("user"),
        vectors=arrays["vectors"],
        vector_rows=arrays["vector_rows"],
        token_bits=arrays["token_bits"],
        token_starts=arrays["token_starts"],
        terms=postings("terms"),
        tags=postings("tags"),
        turns=TurnOrder(
            sessions=arrays["turns.sessions"], keys=arrays["turns.keys"], rows=arrays["turns.rows"]
        ),
        summary=summary,
    )


def _strings_of(name: str, strings: Sequence[str]) -> dict[str, NDArray[Any]]:
    packed = strings if isinstance(strings, PackedStrings) else PackedStrings.of(strings)
    return {f"{name}.starts": packed.starts, f"{name}.octets": packed.octets}


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _sync_folder(folder: Path) -> None:
    """Make the rename last; where folders cannot be opened there is nothing to do."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
