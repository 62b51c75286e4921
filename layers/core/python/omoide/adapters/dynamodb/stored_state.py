"""What is stored around a change, read before it is decided."""

from collections.abc import Mapping
from dataclasses import dataclass

from omoide.adapters.dynamodb.item_keys import (
    Key,
    KeyRange,
    fingerprint_key,
    locator_key,
    memory_key,
    operation_key,
    session_key,
    turns_above,
    turns_below,
    turns_from,
)
from omoide.adapters.dynamodb.memory_items import Raw
from omoide.adapters.dynamodb.operations import read_operation
from omoide.adapters.dynamodb.overlay import Overlay
from omoide.domain.memory import Memory
from omoide.ports.memory_records import MemoryChange, Neighbour, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record as it is stored; the item that a write replaces on condition.

    Attributes:
        raw: The item.
    """

    raw: Raw

    @property
    def version(self) -> int:
        """Version of the record."""
        return int(self.raw["version"]["N"])

    @property
    def index_version(self) -> int:
        """Grows with every write."""
        return int(self.raw["index_version"]["N"])

    @property
    def is_deleted(self) -> bool:
        """Whether it is a tombstone."""
        return "deleted_at" in self.raw

    @property
    def is_shown(self) -> bool:
        """Whether reads may show it."""
        return "hidden" not in self.raw

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint it holds."""
        return self._text("fingerprint")

    @property
    def scoring_revision(self) -> str | None:
        """Model revision of its scoring data."""
        return self._text("scoring_revision")

    @property
    def place(self) -> tuple[str, int] | None:
        """Session and turn."""
        session_id = self._text("session_id")
        if session_id is None or "turn" not in self.raw:
            return None
        return session_id, int(self.raw["turn"]["N"])

    def _text(self, name: str) -> str | None:
        return self.raw[name]["S"] if name in self.raw else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Who else is in the session of a changed memory.

    Attributes:
        previous: The live memory with the greatest turn below.
        next: The live memory with the smallest turn above, or one with the same turn.
        is_shared: Whether another live memory has the same turn, where that matters.
        changes: Count of the session's changes when this was read; None before the first.
    """

    previous: Neighbour | None
    next: Neighbour | None
    is_shared: bool
    changes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredState:
    """Everything a change is decided by.

    Attributes:
        former: The record before the change.
        namespace: Where its id is already, if anywhere.
        operation: The recorded operation, also when expired.
        holder: Id of the memory that holds the fingerprint the record will have.
        followers: Records whose scoring data are written too, by id.
        surroundings: Neighbours in the session, when the change has a place there.
    """

    former: StoredRecord | None
    namespace: str | None
    operation: Operation | None
    holder: str | None
    followers: dict[str, StoredRecord]
    surroundings: Surroundings | None


def read_state(table: Overlay, change: MemoryChange) -> StoredState:
    """Read what a change is decided by, each item consistently."""
    memory = change.memory
    at_memory = memory_key(memory.namespace, memory.id)
    at_locator = locator_key(memory.id)
    at_followers = {
        r.scoring.memory_id: memory_key(r.scoring.namespace, r.scoring.memory_id)
        for r in change.rescorings
    }
    at_operation, at_fingerprint, at_session = _further_keys(change)
    further = (at_operation, at_fingerprint, at_session)
    found = table.get_many(
        [at_memory, at_locator, *at_followers.values(), *(key for key in further if key)]
    )
    former, locator = found.get(at_memory), found.get(at_locator)
    operation, holder = _at(found, at_operation), _at(found, at_fingerprint)
    return StoredState(
        former=None if former is None else StoredRecord(raw=former),
        namespace=None if locator is None else locator["namespace"]["S"],
        operation=None if operation is None else read_operation(operation),
        holder=None if holder is None else holder["memory_id"]["S"],
        followers={
            memory_id: StoredRecord(raw=found[key])
            for memory_id, key in at_followers.items()
            if key in found
        },
        surroundings=_surroundings(table, change, _at(found, at_session)),
    )


def _further_keys(change: MemoryChange) -> tuple[Key | None, Key | None, Key | None]:
    """Of the operation, the fingerprint and the session, where the change has them."""
    memory, operation, place = change.memory, change.operation, _place(change)
    return (
        operation and operation_key(operation.principal, operation.name, operation.key),
        None
        if memory.fingerprint is None
        else fingerprint_key(memory.namespace, memory.fingerprint),
        None if place is None else session_key(memory.namespace, place[0]),
    )


def _at(found: Mapping[Key, Raw], key: Key | None) -> Raw | None:
    return None if key is None else found.get(key)


def _place(change: MemoryChange) -> tuple[str, int] | None:
    memory = change.memory
    if change.place is None or memory.session_id is None or memory.turn is None:
        return None
    return memory.session_id, memory.turn


def _surroundings(table: Overlay, change: MemoryChange, session: Raw | None) -> Surroundings | None:
    place, at = change.place, _place(change)
    if place is None or at is None:
        return None
    memory: Memory = change.memory
    where, but = (memory.namespace, *at), memory.id
    previous = following = None
    if place.is_between:
        previous = _first(table, turns_below(*where), but, is_descending=True)
    if place.is_assigned:
        following = _first(table, turns_from(*where), but)
    elif place.is_between:
        following = _first(table, turns_above(*where), but)
    return Surroundings(
        previous=_neighbour(previous),
        next=_neighbour(following),
        is_shared=following is not None and int(following["turn"]["N"]) == memory.turn,
        changes=None if session is None else int(session["changes"]["N"]),
    )


def _first(table: Overlay, turns: KeyRange, but: str, *, is_descending: bool = False) -> Raw | None:
    """The first place of a range that is not the memory ``but``."""
    found = table.first(turns, 2, is_descending=is_descending)
    return next((raw for raw in found if raw["memory_id"]["S"] != but), None)


def _neighbour(turn: Raw | None) -> Neighbour | None:
    if turn is None:
        return None
    return Neighbour(memory_id=turn["memory_id"]["S"], version=int(turn["version"]["N"]))
