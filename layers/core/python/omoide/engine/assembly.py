"""Gathering what ranking needs of the chosen rows of all parts into one pool."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import NominationRequest, Pool
from omoide.engine.arms import NamespaceStatistics
from omoide.engine.codec import ASKS, CHANGES, IS_QUESTION, PINNED, RESOLVED, TELLS_TIME
from omoide.engine.dots import exact_dots
from omoide.engine.part import Part, StringColumn
from omoide.engine.postings import Posting
from omoide.engine.text import spans, strings_at
from omoide.engine.times import UNKNOWN

_MICROSECONDS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """The chosen rows of one part.

    Attributes:
        part: The part.
        rows: ``(m,)`` int64 ascending.
        dense_rows: Those nominated by the dense arm, ascending.
        lexical_rows: Those nominated by the lexical arm, ascending.
        postings: The posting of each query term.
    """

    part: Part
    rows: NDArray[np.int64]
    dense_rows: NDArray[np.int64]
    lexical_rows: NDArray[np.int64]
    postings: Sequence[Posting | None]


def assemble(
    members: Sequence[Member], request: NominationRequest, statistics: NamespaceStatistics
) -> Pool:
    """Return the pool of all chosen rows."""
    flags = _column(members, "flags", np.uint8)
    own_counts, context_counts = _counts(members, len(request.terms))
    token_bits, token_offsets = _token_bits(members, request)
    activated = _column(members, "last_activated_at", np.int64)
    return Pool(
        ids=[memory_id for m in members for memory_id in strings_at(m.part.ids, m.rows)],
        dense=_cosines(members, request),
        by_dense=_joined([_marks(m.rows, m.dense_rows) for m in members], np.bool_),
        by_lexical=_joined([_marks(m.rows, m.lexical_rows) for m in members], np.bool_),
        own_counts=own_counts,
        context_counts=context_counts,
        own_lengths=_column(members, "own_length", np.float32),
        context_lengths=_column(members, "context_length", np.float32),
        own=statistics.own,
        context=statistics.context,
        token_bits=token_bits,
        token_offsets=token_offsets,
        sessions=_texts(members, lambda part: part.session),
        speakers=_texts(members, lambda part: part.speaker),
        turns=_column(members, "turn", np.int64),
        asks=flags & ASKS > 0,
        is_question=flags & IS_QUESTION > 0,
        changes=flags & CHANGES > 0,
        tells_time=flags & TELLS_TIME > 0,
        scripts=_column(members, "scripts", np.uint8),
        memory_types=_column(members, "memory_type", np.uint8),
        pinned=flags & PINNED > 0,
        resolved=flags & RESOLVED > 0,
        importance=_column(members, "importance", np.float32),
        confidence=_column(members, "confidence", np.float32),
        arousal=_column(members, "arousal", np.float32),
        valence=_column(members, "valence", np.float32),
        created_at=_column(members, "created_at", np.int64) // _MICROSECONDS,
        event_time=_column(members, "event_time", np.int64) // _MICROSECONDS,
        last_activated_at=np.where(activated == UNKNOWN, -1, activated // _MICROSECONDS),
    )


def _column(members: Sequence[Member], name: str, kind: type[np.generic]) -> NDArray[Any]:
    columns: list[NDArray[Any]] = [getattr(m.part.columns, name)[m.rows] for m in members]
    return _joined(columns, kind)


def _joined(arrays: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype=kind), *(a.astype(kind) for a in arrays)])


def _texts(members: Sequence[Member], pick: Callable[[Part], StringColumn]) -> list[str | None]:
    return [text for m in members for text in pick(m.part).texts_at(m.rows)]


def _marks(rows: NDArray[np.int64], marked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the ascending rows are marked; all marked ones are among them."""
    marks = np.zeros(len(rows), dtype=np.bool_)
    marks[np.searchsorted(rows, marked)] = True
    return marks


def _cosines(members: Sequence[Member], request: NominationRequest) -> NDArray[np.float32]:
    """Cosine of the best chunk in single precision, the same whichever engine nominated."""
    return _joined([_cosines_of(m, request) for m in members], np.float32)


def _cosines_of(member: Member, request: NominationRequest) -> NDArray[np.float32]:
    part, rows = member.part, member.rows
    cosines = np.full(len(rows), np.nan, dtype=np.float32)
    if request.vector is None or part.revision != request.revision:
        return cosines
    starts = np.searchsorted(part.vector_rows, rows, side="left")
    lengths = np.searchsorted(part.vector_rows, rows, side="right") - starts
    held = np.flatnonzero(lengths)
    if len(held):
        chunks = np.take(part.vectors, spans(starts[held], lengths[held]), axis=0)
        scores = exact_dots(request.vector, chunks)
        firsts = np.cumsum(lengths[held]) - lengths[held]
        cosines[held] = np.maximum.reduceat(scores, firsts)
    return cosines


def _counts(
    members: Sequence[Member], term_count: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    total = sum(len(m.rows) for m in members)
    own = np.zeros((total, term_count), dtype=np.uint8)
    context = np.zeros((total, term_count), dtype=np.uint8)
    base = 0
    for member in members:
        for term, posting in enumerate(member.postings):
            if posting is None:
                continue
            places = np.searchsorted(posting.rows, member.rows.astype(np.uint32))
            places = np.minimum(places, len(posting.rows) - 1)
            held = np.flatnonzero(posting.rows[places] == member.rows)
            own[base + held, term] = posting.own[places[held]]
            context[base + held, term] = posting.context[places[held]]
        base += len(member.rows)
    return own, context


def _token_bits(
    members: Sequence[Member], request: NominationRequest
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    bits: list[NDArray[np.uint8]] = []
    lengths: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
    for member in members:
        part, rows = member.part, member.rows
        if part.revision != request.revision:
            lengths.append(np.zeros(len(rows), dtype=np.int64))
            continue
        starts = part.token_starts[rows]
        held = part.token_starts[rows + 1] - starts
        lengths.append(held)
        bits.append(np.take(part.token_bits, spans(starts, held), axis=0))
    width = 0 if request.vector is None else len(request.vector) // 8
    offsets = np.cumsum(np.concatenate(lengths), dtype=np.int64)
    return np.concatenate(bits or [np.zeros((0, width), dtype=np.uint8)]), offsets
