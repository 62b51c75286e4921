"""Nominating from OpenSearch, with what it has not taken yet added from the records."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from opensearchpy import OpenSearch

from omoide.adapters.opensearch.asking import Asked
from omoide.adapters.opensearch.breaker import Breaker
from omoide.adapters.opensearch.documents import place_token
from omoide.adapters.opensearch.filters import conditions
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.adapters.opensearch.rows import KeptRows
from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.errors import UnavailableError
from omoide.engine.entries import part_of, readable
from omoide.engine.nomination import nominate, nominated_turns
from omoide.engine.part import LivePart
from omoide.ports.pending_writes import MemoryRef, PendingWrites
from omoide.ports.scoring_source import IndexEntry, ScoringSource

MAX_PENDING = 1_000
"""So many writes the index has not taken are scored beside it; of more the newest."""

NEWEST_SEARCHED = 5_000
"""So many memories at most are searched while the index is down."""

PATIENCE_S = 0.9
"""The index has to answer a nomination within this time, all its requests together."""

READING_S = 0.5
"""While the index is down no further memories are read after so long: a search that waited for the
index in vain is answered within two seconds all the same."""

_STEP = 250
"""So many memories are read at once while the index is down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unindexed:
    """What the index has not taken: ids whose indexed form is out of date, and their rows."""

    ids: frozenset[str]
    part: LivePart
    is_complete: bool


class OpenSearchMemoryIndex:
    """Implements `MemoryIndex`.

    One ``_msearch`` asks for both arms, the newest and the statistics of the namespace; another
    for their neighbours and the scoring data not read before. What is pending is read before all
    that, so that a write is in the index or among the pending ones; its indexed form is left out
    and its present one takes part in every arm.
    While the index does not answer, the newest memories are searched here, and what is pending.

    Args:
        client: OpenSearch.
        layout: The index.
        pending: Writes the index has not taken yet.
        source: The scoring data of the records.
        patience_s: The index has to answer a nomination within this time.
        stopwatch: Seconds from any origin, never running backwards.
    """

    def __init__(
        self,
        client: OpenSearch,
        layout: IndexLayout,
        *,
        pending: PendingWrites,
        source: ScoringSource,
        patience_s: float = PATIENCE_S,
        stopwatch: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._layout = layout
        self._pending = pending
        self._source = source
        self._patience_s = patience_s
        self._stopwatch = stopwatch
        self._breaker = Breaker(stopwatch)
        self._rows = KeptRows()

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours.

        Raises:
            UnavailableError: The records cannot be read.
        """
        unindexed = self._unindexed(request.namespace)
        if self._breaker.lets_through():
            found = self._ask(request, unindexed)
            if found is not None:
                return found
        return self._nominate_newest(request, unindexed)

    def _unindexed(self, namespace: str) -> _Unindexed:
        listed = self._pending.of_namespace(namespace, MAX_PENDING)
        memories = [write.memory for write in reversed(listed.writes)]
        entries = self._source.read(memories) if memories else []
        part, is_whole = self._part_of(entries)
        return _Unindexed(
            ids=frozenset(memory.memory_id for memory in memories),
            part=part,
            is_complete=listed.is_complete and is_whole,
        )

    def _ask(self, request: NominationRequest, unindexed: _Unindexed) -> Pool | None:
        """What the index nominates; None when it does not answer."""
        try:
            pool = self._nominate(request, unindexed)
        except UnavailableError:
            self._breaker.failed()
            return None
        self._breaker.succeeded()
        return pool

    def _nominate(self, request: NominationRequest, unindexed: _Unindexed) -> Pool:
        asked = Asked(
            self._client,
            self._layout.alias,
            request.namespace,
            self._rows,
            patience_s=self._patience_s,
            stopwatch=self._stopwatch,
        )
        statistics, hits = asked.nominating(request, unindexed.ids)
        if request.neighbours:
            pending = nominated_turns((unindexed.part,), request, statistics)
            places = {hit.place for hit in hits if hit.place is not None}
            places |= {place_token(session, turn) for session, turn in pending}
            allowed = conditions(request.namespace, request.where, unindexed.ids)
            hits = asked.beside(hits, places, allowed)
        rows = asked.rows_of(hits)
        indexed = part_of(
            [(memory_id, row.scoring) for memory_id, row in rows],
            revision=self._layout.revision,
            dims=self._layout.dims,
            bodies=[row.body for _, row in rows],
        )
        pool = nominate((indexed, unindexed.part), request, statistics)
        return replace(pool, is_complete=unindexed.is_complete)

    def _nominate_newest(self, request: NominationRequest, unindexed: _Unindexed) -> Pool:
        entries = self._newest(request.namespace)
        part, _ = self._part_of(e for e in entries if e.memory.memory_id not in unindexed.ids)
        return replace(nominate((part, unindexed.part), request), is_complete=False)

    def _newest(self, namespace: str) -> list[IndexEntry]:
        """The newest memories, as many as can be read in time, oldest first."""
        until = self._stopwatch() + READING_S
        steps: list[list[IndexEntry]] = []
        before: MemoryRef | None = None
        for _ in range(NEWEST_SEARCHED // _STEP):
            memories = self._source.newest(namespace, _STEP, before)
            steps.append(self._source.read_live(memories) if memories else [])
            if len(memories) < _STEP or self._stopwatch() >= until:
                break
            before = memories[0]
        return [entry for step in reversed(steps) for entry in step]

    def _part_of(self, entries: Iterable[IndexEntry]) -> tuple[LivePart, bool]:
        """The rows of the records, and whether all could be read."""
        held = [(entry.memory.memory_id, entry.scoring) for entry in entries]
        scored = [(memory_id, scoring) for memory_id, scoring in held if scoring is not None]
        legible = readable(scored)
        part = part_of(legible, revision=self._layout.revision, dims=self._layout.dims)
        return part, len(legible) == len(scored)
