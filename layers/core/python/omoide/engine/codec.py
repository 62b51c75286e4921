"""Scoring data as bytes (little-endian): a fixed header, texts, vectors, token bits, terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import IncompatibleDataError
from omoide.domain.memory import Layer, MemoryType, Status
from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.engine.sets import union
from omoide.engine.times import NEVER, UNKNOWN, microseconds, microseconds_or, time_of, time_unless

FORMAT = 2
"""First byte of every blob. A reader knows all formats up to its own: format 1 told neither of
changes nor of times, and reads as if the text did not."""

ASKS, IS_QUESTION, PINNED, RESOLVED, HAS_SHORT_COUNTS, CHANGES = 1, 2, 4, 8, 16, 32
TELLS_TIME = 64
"""Bits of the header's ``flags``; short counts are two of 0..15 in one byte."""

TEXTS = ("revision", "session_id", "speaker", "agent_id", "user_id")
"""Order of the texts after the header; a length of -1 stands for None."""

MEMORY_TYPES = tuple(MemoryType)
STATUSES = tuple(Status)
LAYERS = (None, *Layer)
_MEMORY_TYPE_CODES = {kind: code for code, kind in enumerate(MEMORY_TYPES)}
_STATUS_CODES = {status: code for code, status in enumerate(STATUSES)}
_LAYER_CODES = {layer: code for code, layer in enumerate(LAYERS)}

HEADER = np.dtype(
    [
        ("format", "u1"),
        ("flags", "u1"),
        ("scripts", "u1"),
        ("memory_type", "u1"),
        ("status", "u1"),
        ("layer", "u1"),
        ("dims", "<u2"),
        ("chunks", "<u2"),
        ("tokens", "<u2"),
        ("terms", "<u2"),
        ("version", "<u4"),
        ("turn", "<i8"),
        ("importance", "<f8"),
        ("confidence", "<f8"),
        ("arousal", "<f4"),
        ("valence", "<f4"),
        ("created_at", "<i8"),
        ("event_time", "<i8"),
        ("invalidated_at", "<i8"),
        ("expires_at", "<i8"),
        ("last_activated_at", "<i8"),
        ("texts", "<i2", (len(TEXTS),)),
        ("tags", "u1"),
    ]
)
_MARKS = {"asks": ASKS, "is_question": IS_QUESTION, "changes": CHANGES, "tells_time": TELLS_TIME}
_NO_TURN = -1
_FOUR = np.uint8(4)
_LOW_HALF = np.uint8(15)

_Scalar = TypeVar("_Scalar", np.uint8, np.uint16, np.uint64, np.float16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What follows the header.

    Attributes:
        texts: One per name in `TEXTS`.
        tags: The tags.
        vectors: ``(chunks, dims)`` float16.
        token_bits: ``(tokens, dims // 8)`` uint8.
        keys: ``(terms,)`` uint64, the terms of memory and previous turn, ascending.
        own: ``(terms,)`` uint8, their counts in the memory.
        context: ``(terms,)`` uint8, their counts in the previous turn.
    """

    texts: tuple[str | None, ...]
    tags: tuple[str, ...]
    vectors: NDArray[np.float16]
    token_bits: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    own: NDArray[np.uint8]
    context: NDArray[np.uint8]


def encode(scoring: ScoringData) -> bytes:
    """Return everything but id and namespace, which every store keeps as keys."""
    keys, own, context = _joined(scoring.own_terms, scoring.context_terms)
    has_short_counts = max(own.max(initial=0), context.max(initial=0)) < 16
    texts = [_encoded(getattr(scoring, name)) for name in TEXTS]
    tags = [_encoded(tag) or b"" for tag in scoring.tags]
    header = np.zeros((), dtype=HEADER)
    _fill_header(header, scoring)
    header["flags"] |= HAS_SHORT_COUNTS if has_short_counts else 0
    header["terms"] = len(keys)
    header["texts"] = [-1 if t is None else len(t) for t in texts]
    return b"".join(
        (
            header.tobytes(),
            np.array([len(tag) for tag in tags], dtype=np.uint16).tobytes(),
            *(t for t in texts if t is not None),
            *tags,
            scoring.vectors.astype(np.float16, copy=False).tobytes(),
            scoring.token_bits.tobytes(),
            keys.astype(np.uint64, copy=False).tobytes(),
            _packed_counts(own, context, is_short=has_short_counts),
        )
    )


def read_headers(blobs: Sequence[bytes]) -> NDArray[np.void]:
    """Return the ``(n,)`` headers of many blobs.

    Raises:
        IncompatibleDataError: A blob was written by a newer program.
    """
    size = HEADER.itemsize
    headers = np.frombuffer(b"".join(blob[:size] for blob in blobs), dtype=HEADER)
    newest = int(headers["format"].max(initial=0))
    if newest > FORMAT:
        raise IncompatibleDataError(
            f"scoring data has format {newest}, this program reads up to {FORMAT}: update it"
        )
    return headers


def read_body(header: NDArray[np.void], blob: bytes) -> Body:
    """Return what follows a header. The arrays share the blob's memory."""
    reader = _Reader(blob, HEADER.itemsize)
    tag_lengths = reader.array(np.uint16, int(header["tags"])).tolist()
    texts = tuple(None if n < 0 else reader.text(n) for n in header["texts"].tolist())
    tags = tuple(reader.text(n) for n in tag_lengths)
    dims, chunks, tokens = int(header["dims"]), int(header["chunks"]), int(header["tokens"])
    vectors = reader.array(np.float16, chunks * dims).reshape(chunks, dims)
    token_bits = reader.array(np.uint8, tokens * (dims // 8)).reshape(tokens, dims // 8)
    terms = int(header["terms"])
    keys = reader.array(np.uint64, terms)
    counts = reader.array(np.uint8, terms)
    if header["flags"] & HAS_SHORT_COUNTS:
        own, context = counts & _LOW_HALF, counts >> _FOUR
    else:
        own, context = counts, reader.array(np.uint8, terms)
    return Body(
        texts=texts,
        tags=tags,
        vectors=vectors,
        token_bits=token_bits,
        keys=keys,
        own=own,
        context=context,
    )


def decode(blob: bytes, *, memory_id: str, namespace: str) -> ScoringData:
    """Return the scoring data; the inverse of `encode`.

    Raises:
        IncompatibleDataError: The blob was written by a newer program.
    """
    header = read_headers([blob])[0]
    body = read_body(header, blob)
    flags, turn = int(header["flags"]), int(header["turn"])
    revision, session_id, speaker, agent_id, user_id = body.texts
    return ScoringData(
        memory_id=memory_id,
        namespace=namespace,
        version=int(header["version"]),
        revision=revision or "",
        vectors=body.vectors,
        token_bits=body.token_bits,
        own_terms=_present(body.keys, body.own),
        context_terms=_present(body.keys, body.context),
        **_marks(flags),
        scripts=int(header["scripts"]),
        memory_type=MEMORY_TYPES[int(header["memory_type"])],
        status=STATUSES[int(header["status"])],
        layer=LAYERS[int(header["layer"])],
        pinned=bool(flags & PINNED),
        resolved=bool(flags & RESOLVED),
        importance=float(header["importance"]),
        confidence=float(header["confidence"]),
        arousal=float(header["arousal"]),
        valence=float(header["valence"]),
        **_times(header),
        session_id=session_id,
        turn=None if turn == _NO_TURN else turn,
        speaker=speaker,
        agent_id=agent_id,
        user_id=user_id,
        tags=body.tags,
    )


def _marks(flags: int) -> dict[str, bool]:
    return {name: bool(flags & bit) for name, bit in _MARKS.items()}


class _Times(TypedDict):
    created_at: datetime
    event_time: datetime
    invalidated_at: datetime | None
    expires_at: datetime | None
    last_activated_at: datetime | None


def _times(header: NDArray[np.void]) -> _Times:
    return _Times(
        created_at=time_of(int(header["created_at"])),
        event_time=time_of(int(header["event_time"])),
        invalidated_at=time_unless(int(header["invalidated_at"]), NEVER),
        expires_at=time_unless(int(header["expires_at"]), NEVER),
        last_activated_at=time_unless(int(header["last_activated_at"]), UNKNOWN),
    )


class _Reader:
    """Reads one piece of a blob after the other."""

    def __init__(self, blob: bytes, position: int) -> None:
        self._blob = blob
        self._position = position

    def array(self, kind: type[_Scalar], count: int) -> NDArray[_Scalar]:
        taken = np.frombuffer(self._blob, dtype=kind, count=count, offset=self._position)
        self._position += taken.nbytes
        return taken

    def text(self, length: int) -> str:
        start, self._position = self._position, self._position + length
        return self._blob[start : self._position].decode("utf-8", "surrogatepass")


def _fill_header(header: NDArray[np.void], scoring: ScoringData) -> None:
    header["format"] = FORMAT
    header["flags"] = (
        ASKS * scoring.asks
        | IS_QUESTION * scoring.is_question
        | CHANGES * scoring.changes
        | TELLS_TIME * scoring.tells_time
        | PINNED * scoring.pinned
        | RESOLVED * scoring.resolved
    )
    header["scripts"] = scoring.scripts
    header["memory_type"] = _MEMORY_TYPE_CODES[scoring.memory_type]
    header["status"] = _STATUS_CODES[scoring.status]
    header["layer"] = _LAYER_CODES[scoring.layer]
    header["chunks"], header["dims"] = scoring.vectors.shape
    header["tokens"] = len(scoring.token_bits)
    header["version"] = scoring.version
    header["turn"] = _NO_TURN if scoring.turn is None else scoring.turn
    for name in ("importance", "confidence", "arousal", "valence"):
        header[name] = getattr(scoring, name)
    header["created_at"] = microseconds(scoring.created_at)
    header["event_time"] = microseconds(scoring.event_time)
    header["invalidated_at"] = microseconds_or(scoring.invalidated_at, NEVER)
    header["expires_at"] = microseconds_or(scoring.expires_at, NEVER)
    header["last_activated_at"] = microseconds_or(scoring.last_activated_at, UNKNOWN)
    header["tags"] = len(scoring.tags)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogatepass")


def _joined(
    own: TermCounts, context: TermCounts
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8]]:
    keys = union(own.keys, context.keys)
    counts = np.zeros((2, len(keys)), dtype=np.uint8)
    counts[0, np.searchsorted(keys, own.keys)] = own.counts
    counts[1, np.searchsorted(keys, context.keys)] = context.counts
    return keys, counts[0], counts[1]


def _packed_counts(own: NDArray[np.uint8], context: NDArray[np.uint8], *, is_short: bool) -> bytes:
    if is_short:
        return np.bitwise_or(own, context << _FOUR).tobytes()
    return own.tobytes() + context.tobytes()


def _present(keys: NDArray[np.uint64], counts: NDArray[np.uint8]) -> TermCounts:
    held = counts > 0
    return TermCounts(keys=keys[held], counts=counts[held])
