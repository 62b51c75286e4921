"""Following the records: every entry goes to the index in use and to the one being built."""

from collections.abc import Sequence
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from omoide.adapters.opensearch.bulk import BulkWriter, MissingIndexError
from omoide.adapters.opensearch.connection import translated_errors
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.domain.errors import UnavailableError
from omoide.ports.index_writer import Unindexable
from omoide.ports.scoring_source import IndexEntry

_WAIT = "wait_for"
_EXISTS = "resource_already_exists_exception"


class OpenSearchIndexWriter:
    """Implements `IndexWriter`; makes the index when there is none.

    Args:
        client: OpenSearch.
        layout: The index.
    """

    def __init__(self, client: OpenSearch, layout: IndexLayout) -> None:
        self._client = client
        self._layout = layout
        self._bulk = BulkWriter(client, layout)

    def write(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Index or delete, and return once searches see it."""
        if not entries:
            return []
        with translated_errors():
            is_building = self._client.indices.exists_alias(name=self._layout.next_alias)
        if is_building:
            self._write_to_next(entries)
        try:
            return self._bulk.write(self._layout.alias, entries, refresh=_WAIT)
        except MissingIndexError:
            self.make_index()
            return self._write_to_new(entries)

    def make_index(self) -> None:
        """Make the index unless there is one."""
        layout = self._layout
        body: dict[str, Any] = {
            "settings": layout.settings,
            "mappings": layout.mappings,
            "aliases": {layout.alias: {}},
        }
        with translated_errors():
            if self._client.indices.exists_alias(name=layout.alias):
                return
            try:
                self._client.indices.create(index=layout.name, body=body)
            except RequestError as error:
                if error.error != _EXISTS:
                    raise

    def _write_to_new(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        try:
            return self._bulk.write(self._layout.alias, entries, refresh=_WAIT)
        except MissingIndexError as error:
            raise UnavailableError("the search index is being made") from error

    def _write_to_next(self, entries: Sequence[IndexEntry]) -> None:
        """Faults are told by the index in use; the build may have ended meanwhile."""
        try:
            self._bulk.write(self._layout.next_alias, entries, refresh="false")
        except MissingIndexError:
            return
