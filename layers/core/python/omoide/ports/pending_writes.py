"""Knowing which writes an index that follows the records has not taken yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRef:
    """A memory and where it is."""

    namespace: str
    memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingWrite:
    """The last write of a memory that is not indexed yet.

    Attributes:
        memory: The memory.
        version: Its record version after the write; also told of a deletion.
        token: Another one with every write of the record or of its scoring data.
        written_at: When.
    """

    memory: MemoryRef
    version: int
    token: str
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingList:
    """What is pending in a namespace.

    Attributes:
        writes: At most as many as asked for, the newest ones.
        is_complete: Whether that is all.
        is_newest: Whether no other write is newer than the oldest of these. False only where so
            many are pending that not all were looked at.
    """

    writes: tuple[PendingWrite, ...]
    is_complete: bool
    is_newest: bool = True


class PendingWrites(Protocol):
    """Noted in the transaction of every write (rescorings and deletions too), one per memory.

    Reads are consistent. All methods raise `UnavailableError` when the store cannot be reached.
    """

    def of_namespace(self, namespace: str, limit: int) -> PendingList:
        """The newest ``limit`` pending writes of a namespace."""
        ...

    def find(self, memories: Sequence[MemoryRef]) -> list[PendingWrite]:
        """The pending writes of those of the memories that have one."""
        ...

    def overdue(self, before: datetime, limit: int) -> list[PendingWrite]:
        """Pending writes of all namespaces written before an instant, oldest first.

        What was set aside is not among them.
        """
        ...

    def clear(self, writes: Sequence[PendingWrite]) -> None:
        """Forget those whose token is still the same: the index has taken them."""
        ...

    def set_aside(self, writes: Sequence[PendingWrite]) -> None:
        """Let those whose token is still the same be overdue no more; they stay pending.

        Another write of the memory, or a redrive, takes it up again.
        """
        ...
