"""Nominating over the parts of a namespace."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import NominationRequest, Pool
from omoide.engine.arms import (
    NamespaceStatistics,
    Scored,
    dense_arm,
    lexical_arm,
    statistics_of,
)
from omoide.engine.assembly import Member, assemble
from omoide.engine.best import best_rows
from omoide.engine.filters import Mask, mask_of
from omoide.engine.neighbours import neighbours_of
from omoide.engine.part import LivePart
from omoide.engine.postings import Posting
from omoide.engine.sets import union


def nominate(
    parts: Sequence[LivePart],
    request: NominationRequest,
    statistics: NamespaceStatistics | None = None,
) -> Pool:
    """Return the union of the arms, the newest and the neighbours, without duplicates.

    Args:
        parts: All parts of the namespace in the order of their vids, at one moment.
        request: What to look for.
        statistics: Those of the namespace when the parts are only some of its rows.
    """
    parts = [live for live in parts if live.live_count]
    nominated = _nominated(parts, request, statistics)
    chosen = nominated.rows
    if request.neighbours:
        chosen = _unions(chosen, neighbours_of(parts, nominated.masks, chosen))
    if request.newest:
        chosen = _unions(chosen, _newest(parts, nominated.masks, request.newest))
    members = [
        Member(part=live.part, rows=rows, dense_rows=d, lexical_rows=x, postings=found)
        for live, rows, d, x, found in zip(
            parts,
            chosen,
            nominated.dense,
            nominated.lexical,
            nominated.postings,
            strict=True,
        )
    ]
    return assemble(members, request, nominated.statistics)


def nominated_turns(
    parts: Sequence[LivePart], request: NominationRequest, statistics: NamespaceStatistics
) -> set[tuple[str, int]]:
    """Return session and turn of everything an arm nominates: those whose neighbours join.

    Args:
        parts: Rows among which everything is that an arm nominates.
        request: What to look for.
        statistics: Those of the namespace.
    """
    parts = [live for live in parts if live.live_count]
    turns: set[tuple[str, int]] = set()
    for live, rows in zip(parts, _nominated(parts, request, statistics).rows, strict=True):
        sessions = live.part.session.texts_at(rows)
        numbers: list[int] = live.part.columns.turn[rows].tolist()
        pairs = zip(sessions, numbers, strict=True)
        turns.update(
            (session, turn) for session, turn in pairs if session is not None and turn >= 0
        )
    return turns


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nominated:
    """What the arms nominate of each part, and what they found it with."""

    masks: list[Mask | None]
    postings: list[list[Posting | None]]
    statistics: NamespaceStatistics
    dense: list[NDArray[np.int64]]
    lexical: list[NDArray[np.int64]]

    @property
    def rows(self) -> list[NDArray[np.int64]]:
        """The rows of each part that an arm nominates."""
        return _unions(self.dense, self.lexical)


def _nominated(
    parts: Sequence[LivePart],
    request: NominationRequest,
    statistics: NamespaceStatistics | None,
) -> _Nominated:
    masks = [mask_of(live, request.where) for live in parts]
    postings = [live.part.terms.find(request.terms) for live in parts]
    known = statistics or statistics_of(parts, postings, len(request.terms))
    lexical = [
        lexical_arm(live.part, found, known.context, mask, request.pool)
        for live, found, mask in zip(parts, postings, masks, strict=True)
    ]
    return _Nominated(
        masks=masks,
        postings=postings,
        statistics=known,
        dense=_merge_best(_dense(parts, masks, request), request.pool),
        lexical=_merge_best(lexical, request.pool),
    )


def _dense(
    parts: Sequence[LivePart], masks: Sequence[Mask | None], request: NominationRequest
) -> list[Scored]:
    nothing = Scored(rows=np.zeros(0, dtype=np.int64), scores=np.zeros(0, dtype=np.float32))
    return [
        nothing
        if request.vector is None or live.part.revision != request.revision
        else dense_arm(live.part, request.vector, mask, request.pool)
        for live, mask in zip(parts, masks, strict=True)
    ]


def _merge_best(scored: Sequence[Scored], count: int) -> list[NDArray[np.int64]]:
    """The rows of each part that are among the ``count`` best of all, ascending."""
    if not scored:
        return []
    scores = np.concatenate([s.scores for s in scored])
    is_best = np.zeros(len(scores), dtype=np.bool_)
    is_best[best_rows(scores, count)] = True
    ends = np.cumsum([len(s.rows) for s in scored])
    return [
        np.sort(s.rows[is_best[end - len(s.rows) : end]])
        for s, end in zip(scored, ends.tolist(), strict=True)
    ]


def _newest(
    parts: Sequence[LivePart], masks: Sequence[Mask | None], count: int
) -> list[NDArray[np.int64]]:
    """The rows of each part that are among the ``count`` newest of all.

    By ``event_time``; of equal ones the last written.
    """
    scored: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for live, mask in zip(parts, masks, strict=True):
        rows = np.arange(live.part.row_count) if mask is None else np.flatnonzero(mask)
        times = live.part.columns.event_time[rows]
        if len(rows) > count:
            oldest = times[best_rows(times, count)].min()
            rows, times = rows[times >= oldest], times[times >= oldest]
        scored.append((rows, times))
    owners = np.repeat(np.arange(len(parts)), [len(rows) for rows, _ in scored])
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *(rows for rows, _ in scored)])
    times = np.concatenate([np.zeros(0, dtype=np.int64), *(times for _, times in scored)])
    kept = np.lexsort((rows, owners, times))[::-1][:count]
    return [np.sort(rows[kept][owners[kept] == i]) for i in range(len(parts))]


def _unions(
    first: Sequence[NDArray[np.int64]], second: Sequence[NDArray[np.int64]]
) -> list[NDArray[np.int64]]:
    return [union(a, b) for a, b in zip(first, second, strict=True)]
