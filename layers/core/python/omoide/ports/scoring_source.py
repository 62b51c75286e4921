"""Reading the scoring data that an index holds a copy of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from omoide.ports.pending_writes import MemoryRef


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What an index should hold of a memory.

    Attributes:
        memory: The memory.
        version: Its record version.
        index_version: Greater after every write of the record or of its scoring data, also after
            a deletion; less than 2**63.
        scoring: Its scoring data as `omoide.engine.codec.encode` makes it; None when nothing may
            find it: deleted, invisible or unknown.
    """

    memory: MemoryRef
    version: int
    index_version: int
    scoring: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """A part of all entries.

    Attributes:
        entries: Of live, visible memories of any namespace.
        position: Where the next page begins; None at the end.
    """

    entries: tuple[IndexEntry, ...]
    position: str | None


class ScoringSource(Protocol):
    """The scoring data of the records, under the model revision of the process.

    Reads are consistent. All methods raise `UnavailableError` when the store cannot be reached.
    """

    def read(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """One entry per memory, as the record is now."""
        ...

    def read_live(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """The same for memories that `newest` has just told, without asking whether they live.

        One that was deleted since may still have its scoring data.
        """
        ...

    def newest(
        self, namespace: str, limit: int, before: MemoryRef | None = None
    ) -> list[MemoryRef]:
        """The newest ``limit`` live memories of a namespace, oldest first.

        Args:
            namespace: Where.
            limit: How many.
            before: Only those that are older than this one.
        """
        ...

    def page(self, position: str | None, limit: int) -> EntryPage:
        """The next entries; every memory that is live throughout all pages is in one of them."""
        ...
