"""Building a new index beside the one in use."""

import re
from collections.abc import Sequence

from opensearchpy import OpenSearch
from opensearchpy.exceptions import NotFoundError

from omoide.adapters.opensearch.bulk import BulkWriter, MissingIndexError
from omoide.adapters.opensearch.connection import translated_errors
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.domain.errors import UnavailableError
from omoide.ports.index_writer import Unindexable
from omoide.ports.scoring_source import IndexEntry

_NUMBER = re.compile(r"-(\d{6})$")


class OpenSearchIndexBuilder:
    """Implements `IndexBuilder`: the new index has an alias of its own until it is complete.

    How far the build has come is kept in the new index itself, so that it goes with it.

    Args:
        client: OpenSearch.
        layout: The index.
    """

    def __init__(self, client: OpenSearch, layout: IndexLayout) -> None:
        self._client = client
        self._layout = layout
        self._bulk = BulkWriter(client, layout)

    def begin(self, *, anew: bool = False) -> str | None:
        """Make an empty index, or go on with the one being built.

        One that was begun with another layout or model is dropped.
        """
        with translated_errors():
            building = self._indices(self._layout.next_alias)
            if building and not anew and all(self._is_ours(name) for name in building):
                return self._position(building[0])
            for name in building:
                self._client.indices.delete(index=name)
            self._create()
        return None

    def add(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Write to the index being built alone."""
        try:
            return self._bulk.write(self._layout.next_alias, entries, refresh="false")
        except MissingIndexError as error:
            raise UnavailableError("no index is being built any more") from error

    def save(self, position: str) -> None:
        """Keep how far the build has come."""
        with translated_errors():
            self._client.indices.put_mapping(
                index=self._layout.next_alias, body={"_meta": {"position": position}}
            )

    def switch(self) -> None:
        """Search the new index from now on and drop the former one."""
        layout = self._layout
        with translated_errors():
            (new,) = self._indices(layout.next_alias)
            self._client.indices.refresh(index=new)
            former = self._indices(layout.alias)
            self._client.indices.update_aliases(
                body={
                    "actions": [
                        {"add": {"index": new, "alias": layout.alias}},
                        {"remove": {"index": new, "alias": layout.next_alias}},
                        *({"remove_index": {"index": name}} for name in former),
                    ]
                }
            )

    def _create(self) -> None:
        layout = self._layout
        taken = [0, *(number_of(name) for name in self._indices(layout.alias))]
        self._client.indices.create(
            index=f"{layout.name}-{max(taken) + 1:06}",
            body={
                "settings": layout.settings,
                "mappings": layout.mappings,
                "aliases": {layout.next_alias: {}},
            },
        )

    def _is_ours(self, name: str) -> bool:
        return _NUMBER.sub("", name) == self._layout.name

    def _position(self, name: str) -> str | None:
        mapping = self._client.indices.get_mapping(index=name)[name]["mappings"]
        position: str | None = mapping.get("_meta", {}).get("position")
        return position

    def _indices(self, alias: str) -> list[str]:
        """The names of the indices behind an alias."""
        try:
            found: dict[str, object] = self._client.indices.get_alias(name=alias)
        except NotFoundError:
            return []
        return sorted(found)


def number_of(name: str) -> int:
    """Which build an index comes from; 0 for the first index."""
    found = _NUMBER.search(name)
    return int(found.group(1)) if found else 0
