"""The requests of one nomination."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from opensearchpy import OpenSearch

from omoide.adapters.opensearch.connection import translated_errors
from omoide.adapters.opensearch.filters import Clause
from omoide.adapters.opensearch.neighbours import neighbours_of, places_beside
from omoide.adapters.opensearch.requests import (
    ANSWERED,
    Hit,
    header,
    hits_of,
    latest,
    nominating,
    payloads_at,
    payloads_of,
    statistics_of,
)
from omoide.adapters.opensearch.rows import KeptRows, Row
from omoide.domain.candidates import NominationRequest
from omoide.domain.errors import UnavailableError
from omoide.engine.arms import NamespaceStatistics

_LOGGER = logging.getLogger(__name__)


class Asked:
    """What the index is asked for one nomination, in as few requests as there can be.

    The first brings who is nominated; the second their neighbours and, of all, the scoring data
    that the process has not read yet. More follow only where a turn is missing inside a session.

    Args:
        client: OpenSearch.
        alias: The index.
        namespace: Where it searches.
        rows: What was read before.
        patience_s: All requests together have to be answered within so many seconds.
        stopwatch: Seconds from any origin, never running backwards.
    """

    def __init__(
        self,
        client: OpenSearch,
        alias: str,
        namespace: str,
        rows: KeptRows,
        *,
        patience_s: float,
        stopwatch: Callable[[], float],
    ) -> None:
        self._client = client
        self._header = header(alias, namespace)
        self._namespace = namespace
        self._rows = rows
        self._stopwatch = stopwatch
        self._deadline = stopwatch() + patience_s
        self._read: dict[str, Row] = {}
        self._payloads: list[dict[str, Any]] = []

    def nominating(
        self, request: NominationRequest, excluded: frozenset[str]
    ) -> tuple[NamespaceStatistics, list[Hit]]:
        """The statistics and everything an arm nominates.

        Args:
            request: What to look for.
            excluded: Memories whose indexed form is out of date.
        """
        first, *others = self._responses(nominating(request, sorted(excluded)))
        hits = latest(hit for response in others for hit in hits_of(response))
        return statistics_of(first, len(request.terms)), hits

    def beside(self, hits: Sequence[Hit], places: set[str], allowed: Clause) -> list[Hit]:
        """Hits together with the turns beside some places.

        Args:
            hits: What is nominated.
            places: Tokens of turns.
            allowed: What a neighbour has to satisfy.
        """
        unread = [p for p in places_beside(places) if not self._rows.has_place(self._namespace, p)]
        self._payloads = payloads_of(self._unread(hits)) + payloads_at(unread, allowed)
        return latest([*hits, *neighbours_of(places, allowed, self._search)])

    def rows_of(self, hits: Sequence[Hit]) -> list[tuple[str, Row]]:
        """Ids and rows of hits; those that are gone by now are left out."""
        unread = self._unread(hits)
        if unread:
            for response in self._responses(payloads_of(unread)):
                self._take(hits_of(response))
        ids = [hit.memory_id for hit in hits]
        return [(memory_id, self._read[memory_id]) for memory_id in ids if memory_id in self._read]

    def _unread(self, hits: Iterable[Hit]) -> list[str]:
        """Ids of the hits whose rows are not known in their version or a later one."""
        unread: list[str] = []
        for hit in hits:
            row = self._read.get(hit.memory_id)
            if row is None or row.version < hit.version:
                row = self._rows.row_of(hit)
            if row is None:
                unread.append(hit.memory_id)
            else:
                self._read[hit.memory_id] = row
        return unread

    def _take(self, hits: Sequence[Hit]) -> None:
        for memory_id, row in self._rows.keep(self._namespace, hits).items():
            known = self._read.get(memory_id)
            if known is None or known.version < row.version:
                self._read[memory_id] = row

    def _search(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """The answer to one search; what is to be read is read beside it."""
        payloads, self._payloads = self._payloads, []
        first, *others = self._responses([body, *payloads])
        for response in others:
            self._take(hits_of(response))
        return first

    def _responses(self, bodies: Sequence[dict[str, Any]]) -> list[Mapping[str, Any]]:
        remaining_s = self._deadline - self._stopwatch()
        if remaining_s <= 0:
            raise UnavailableError("the search index is too slow")
        lines = [line for body in bodies for line in (self._header, body)]
        with translated_errors():
            answer = self._client.msearch(
                body=lines, params={"filter_path": ANSWERED, "request_timeout": remaining_s}
            )
        responses: list[Mapping[str, Any]] = answer["responses"]
        for response in responses:
            if "error" in response:
                kind = response["error"].get("type")
                _LOGGER.warning("OpenSearch refused a search: %s %s", response["status"], kind)
                raise UnavailableError("the search index cannot answer")
        return responses
