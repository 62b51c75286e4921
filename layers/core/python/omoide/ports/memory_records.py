"""Keeping records: the truth."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The outcome of an idempotent call: enough to repeat the answer, no text.

    Attributes:
        principal: Key id of the caller.
        name: Name of the operation, such as ``store_memory``.
        key: The caller's operation id.
        request_hash: SHA-256 of the request.
        memory_id: The memory it made or changed.
        outcome: Such as ``created`` or ``duplicate``.
        expires_at: Not honoured from this instant on.
    """

    principal: str
    name: str
    key: str
    request_hash: str
    memory_id: str
    outcome: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescoring:
    """New scoring data of a memory whose record stays as it is (the next turn of a session).

    Skipped when the record has another version than ``scoring.version`` by now.
    """

    scoring: ScoringData


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory of the same session as a writer saw it."""

    memory_id: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Where a changed memory stands in its session, as its writer saw it.

    Attributes:
        previous: The live memory with the greatest turn below, the changed one itself apart.
        next: The live memory with the smallest turn above, the changed one itself apart.
        is_assigned: The turn was chosen by the writer: no other live memory may have it.
        is_between: Whether the neighbours must be these; otherwise any will do.
    """

    previous: Neighbour | None = None
    next: Neighbour | None = None
    is_assigned: bool = False
    is_between: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """Everything one write changes, committed in one transaction or not at all.

    Attributes:
        memory: The record after the write. With ``deleted_at`` set it is a tombstone: reads and
            the index hide it at once, its fingerprint and turn are freed.
        expected_version: Version the stored record must have; None for a new id.
        scoring: Its scoring data; None for a tombstone.
        operation: Recorded with it.
        rescorings: Followers encoded anew because their previous turn changed.
        place: Neighbours in the session of the record that the change was decided by; None
            does not look.
    """

    memory: Memory
    expected_version: int | None
    scoring: ScoringData | None
    operation: Operation | None = None
    rescorings: tuple[Rescoring, ...] = ()
    place: SessionPlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePosition:
    """Where a page begins: after the memory with these values (newest first)."""

    created_at: datetime
    memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """One page of a list.

    Attributes:
        memories: By ``created_at`` descending, then id descending.
        next_position: Where the next page begins; None at the end.
    """

    memories: tuple[Memory, ...]
    next_position: PagePosition | None


class MemoryRecords(Protocol):
    """The records of all namespaces. Reads never show tombstones and invisible records.

    Reads are consistent: they see every committed change.
    """

    def commit(self, change: MemoryChange) -> None:
        """Apply a change atomically; the former version goes to the history.

        Raises:
            VersionConflictError: ``expected_version`` or ``place`` does not hold.
            FingerprintTakenError: Another live memory of the namespace has the fingerprint.
            OperationTakenError: The operation is recorded already (and not expired).
            UnavailableError: The store is busy or unreachable; nothing was written.
        """
        ...

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        """Apply changes in their order, all of them in one transaction or none.

        Each sees what those before it did. An empty sequence does nothing. How many fit into one
        transaction depends on the store; more than that are refused as a conflict, and whoever
        meets one commits the changes one by one.

        Raises:
            VersionConflictError: A version or place does not hold, or these are too many for one
                transaction; nothing was written.
            OmoideError: What else `commit` raises for the first change that cannot be applied;
                nothing was written.
        """
        ...

    def record_operation(self, operation: Operation) -> None:
        """Record the outcome of a call that changed no memory (a ``duplicate``).

        Raises:
            OperationTakenError: The operation is recorded already (and not expired).
            UnavailableError: The store is busy or unreachable; nothing was written.
        """
        ...

    def get(self, memory_id: str) -> Memory:
        """Return a memory of whichever namespace.

        Raises:
            NotFoundError: Unknown, deleted or invisible.
        """
        ...

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Memory]:
        """Return those of the ids that are live in the namespace."""
        ...

    def page(
        self, namespace: str, where: MemoryFilter, after: PagePosition | None, limit: int
    ) -> MemoryPage:
        """Return the next ``limit`` (1..200) memories that satisfy the filter."""
        ...

    def count(self, namespace: str, where: MemoryFilter | None = None) -> int:
        """Number of live memories; without a filter of every status."""
        ...

    def history(self, memory_id: str) -> tuple[Memory, ...]:
        """Every earlier version, oldest first; empty for an unknown id."""
        ...


class WriteLookups(Protocol):
    """Consistent look-ups that a write needs before it decides."""

    def find_fingerprint(self, namespace: str, fingerprint: str) -> str | None:
        """Id of the live memory that holds the fingerprint."""
        ...

    def find_operation(self, principal: str, name: str, key: str) -> Operation | None:
        """The recorded operation, also when expired: the caller compares ``expires_at``."""
        ...

    def find_scoring(self, memory_id: str, revision: str | None = None) -> ScoringData | None:
        """The stored scoring data of a live memory under a model revision; None is whichever.

        Lets a change that leaves the encoded text alone be written without encoding it again.
        """
        ...

    def previous_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the greatest turn below ``turn`` in the session.

        Of equal turns the greatest id; ``without`` names ids that are passed over.
        """
        ...

    def next_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the smallest turn above ``turn`` in the session.

        Of equal turns the smallest id; ``without`` names ids that are passed over.
        """
        ...

    def last_turn(self, namespace: str, session_id: str) -> int | None:
        """The greatest turn of the session."""
        ...
