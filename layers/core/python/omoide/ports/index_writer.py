"""Filling an index that follows the records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from omoide.ports.pending_writes import MemoryRef
from omoide.ports.scoring_source import IndexEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Unindexable:
    """A memory that cannot be indexed for its own fault.

    Attributes:
        memory: The memory.
        version: Its record version.
        reason: What is wrong, without any of its text.
    """

    memory: MemoryRef
    version: int
    reason: str


class IndexWriter(Protocol):
    """Writes entries: the greatest ``index_version`` of a memory wins, in whatever order."""

    def write(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Index or delete, and return once searches see it.

        Returns:
            The entries that cannot be indexed; all others are.

        Raises:
            UnavailableError: The index cannot take them now; some may be written.
        """
        ...


class IndexBuilder(Protocol):
    """Builds a new index beside the one in use. Only one is being built at a time.

    While one is built, `IndexWriter.write` writes to both. All methods raise `UnavailableError`
    when the index cannot be reached.
    """

    def begin(self, *, anew: bool = False) -> str | None:
        """Make an empty index, or go on with the one being built.

        Args:
            anew: Drop the one being built.

        Returns:
            The position that `save` kept last; None to begin at the first page.
        """
        ...

    def add(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Write to the index being built alone."""
        ...

    def save(self, position: str) -> None:
        """Keep how far the build has come."""
        ...

    def switch(self) -> None:
        """Search the new index from now on and drop the former one."""
        ...
