"""Writing entries in bulk and telling faults of an entry from faults of the index."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opensearchpy import OpenSearch

from omoide.adapters.opensearch.connection import translated_errors
from omoide.adapters.opensearch.documents import document_of, routing_of
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.domain.errors import UnavailableError
from omoide.engine.entries import UnreadableScoringError
from omoide.ports.index_writer import Unindexable
from omoide.ports.scoring_source import IndexEntry

MAX_BYTES = 4 << 20
"""A request is sent when it holds so much."""

_CONFLICT = 409
_BUSY = frozenset({429, 500, 502, 503, 504})


class MissingIndexError(Exception):
    """The alias that was written to has no index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Action:
    """What is sent of an entry."""

    entry: IndexEntry
    lines: str


class BulkWriter:
    """Sends entries to an alias.

    Args:
        client: OpenSearch.
        layout: The index.
    """

    def __init__(self, client: OpenSearch, layout: IndexLayout) -> None:
        self._client = client
        self._layout = layout

    def write(
        self, alias: str, entries: Sequence[IndexEntry], *, refresh: str
    ) -> list[Unindexable]:
        """Write entries; what has been overtaken by a later write is left as it is.

        Args:
            alias: Where to.
            entries: Any number.
            refresh: ``wait_for`` returns once searches see them, ``false`` at once.

        Returns:
            The entries that cannot be indexed.

        Raises:
            MissingIndexError: The alias has no index.
            UnavailableError: The index cannot take them now; some may be written.
        """
        actions, faults = self._actions(entries)
        for batch in _batches(actions):
            faults += self._send(alias, batch, refresh)
        return faults

    def _actions(self, entries: Sequence[IndexEntry]) -> tuple[list[_Action], list[Unindexable]]:
        actions: list[_Action] = []
        faults: list[Unindexable] = []
        for entry in entries:
            try:
                actions.append(_Action(entry=entry, lines=self._lines(entry)))
            except UnreadableScoringError as error:
                faults.append(_fault(entry, str(error)))
        return actions, faults

    def _lines(self, entry: IndexEntry) -> str:
        target = {
            "_id": entry.memory.memory_id,
            "routing": routing_of(entry.memory.namespace),
            "version": entry.index_version,
            "version_type": "external_gte",
        }
        if entry.scoring is None:
            return json.dumps({"delete": target}) + "\n"
        document = document_of(
            entry.memory,
            entry.scoring,
            revision=self._layout.revision,
            dims=self._layout.dims,
        )
        return json.dumps({"index": target}) + "\n" + json.dumps(document) + "\n"

    def _send(self, alias: str, batch: Sequence[_Action], refresh: str) -> list[Unindexable]:
        with translated_errors():
            answer = self._client.bulk(
                body="".join(action.lines for action in batch),
                index=alias,
                params={"refresh": refresh, "require_alias": "true"},
            )
        faults: list[Unindexable] = []
        items: list[Mapping[str, Mapping[str, Any]]] = answer["items"]
        for action, item in zip(batch, items, strict=True):
            ((_, result),) = item.items()
            fault = _fault_of(action.entry, result)
            if fault is not None:
                faults.append(fault)
        return faults


def _fault_of(entry: IndexEntry, result: Mapping[str, Any]) -> Unindexable | None:
    """What one line of the answer says is wrong with the entry.

    A conflict means that a later write is there already; a deletion need not find anything.
    """
    status: int = result["status"]
    error: Mapping[str, Any] = result.get("error", {})
    kind = str(error.get("type"))
    if kind == "index_not_found_exception":
        raise MissingIndexError
    if status in _BUSY:
        raise UnavailableError("the search index is busy")
    if not error or status == _CONFLICT:
        return None
    return _fault(entry, kind)


def _fault(entry: IndexEntry, reason: str) -> Unindexable:
    return Unindexable(memory=entry.memory, version=entry.version, reason=reason)


def _batches(actions: Sequence[_Action]) -> Iterator[list[_Action]]:
    batch: list[_Action] = []
    size = 0
    for action in actions:
        if batch and size + len(action.lines) > MAX_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(action)
        size += len(action.lines)
    if batch:
        yield batch
