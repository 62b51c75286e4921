"""Places of memories in their sessions, as they will be once a write is done."""

from dataclasses import replace

from omoide.domain.errors import InvalidRequestError
from omoide.domain.limits import MAX_TURN
from omoide.domain.memory import Memory
from omoide.ports.memory_records import Neighbour, SessionPlace, WriteLookups
from omoide.services.scoring import InContext, scored_text


class SessionTurns:
    """Neighbours in sessions, over stored memories and those about to be written.

    A memory is encoded with the previous turn of its session, the one with the greatest turn
    below its own; of equal turns the greatest id. Where a write changes the previous turn of a
    stored memory, that follower is encoded anew.
    """

    def __init__(self, lookups: WriteLookups) -> None:
        self._lookups = lookups
        self._written: dict[str, Memory | None] = {}

    def place(self, memory: Memory) -> Memory:
        """Announce a memory about to be written; without a turn in a session it gets the next.

        Raises:
            InvalidRequestError: The session has no turn left; names ``turn``.
        """
        if memory.session_id is not None and memory.turn is None:
            memory = replace(memory, turn=self._next_free(memory.namespace, memory.session_id))
        self._written[memory.id] = memory
        return memory

    def remove(self, memory: Memory) -> None:
        """Announce that a memory is about to go."""
        self._written[memory.id] = None

    def previous(self, memory: Memory) -> Memory | None:
        """The previous turn of a memory, once everything announced is written."""
        if memory.session_id is None or memory.turn is None:
            return None
        stored = self._stored_previous(memory.namespace, memory.session_id, memory.turn)
        candidates = [m for m in self._announced(memory) if _turn(m) < memory.turn]
        return max([*candidates, *([stored] if stored else [])], key=_order, default=None)

    def seen_place(self, memory: Memory, *, is_assigned: bool = False) -> SessionPlace | None:
        """The neighbours of an announced memory: what it and its follower are encoded by.

        Looked at before the neighbours are encoded, they tell at the commit whether those were
        still the neighbours. They hold when memories announced together are written in order of
        their turns.
        """
        if memory.session_id is None or memory.turn is None:
            return None
        return SessionPlace(
            previous=_neighbour(self.previous(memory)),
            next=_neighbour(self._next(memory)),
            is_assigned=is_assigned,
        )

    def followers(self, old: Memory | None, new: Memory | None) -> list[InContext]:
        """Stored memories whose previous turn changes, each beside its new one.

        Args:
            old: The record as it is stored; None when it is new.
            new: The record as announced; None when it goes.
        """
        if old is not None and new is not None and _reads_alike(old, new):
            return []
        found: dict[str, InContext] = {}
        after_old = None if old is None else self._next(old)
        if old is not None and after_old is not None and self._precedes(old, after_old):
            found[after_old.id] = InContext(memory=after_old, previous=self.previous(after_old))
        after_new = None if new is None else self._next(new)
        if new is not None and after_new is not None:
            previous = self.previous(after_new)
            if previous is not None and previous.id == new.id:
                found[after_new.id] = InContext(memory=after_new, previous=previous)
        return list(found.values())

    def _next_free(self, namespace: str, session_id: str) -> int:
        last = self._lookups.last_turn(namespace, session_id)
        announced = [
            _turn(m)
            for m in self._written.values()
            if m is not None and m.namespace == namespace and m.session_id == session_id
        ]
        turn = max([*announced, -1 if last is None else last]) + 1
        if turn > MAX_TURN:
            raise InvalidRequestError.of("turn", "the session has no turn left")
        return turn

    def _announced(self, memory: Memory) -> list[Memory]:
        """Other announced memories of the same session."""
        return [
            m
            for m in self._written.values()
            if m is not None
            and m.id != memory.id
            and m.namespace == memory.namespace
            and m.session_id == memory.session_id
        ]

    def _stored_previous(self, namespace: str, session_id: str, turn: int) -> Memory | None:
        return self._lookups.previous_turn(namespace, session_id, turn, without=self._written)

    def _next(self, memory: Memory) -> Memory | None:
        """The next stored memory of the session that is not itself being written."""
        if memory.session_id is None or memory.turn is None:
            return None
        return self._lookups.next_turn(
            memory.namespace, memory.session_id, memory.turn, without=self._written
        )

    def _precedes(self, memory: Memory, follower: Memory) -> bool:
        """Whether the stored follower has been encoded with the memory before it."""
        previous = self._lookups.previous_turn(
            follower.namespace, memory.session_id or "", _turn(follower)
        )
        return previous is not None and previous.id == memory.id


def _neighbour(memory: Memory | None) -> Neighbour | None:
    return None if memory is None else Neighbour(memory_id=memory.id, version=memory.version)


def _turn(memory: Memory) -> int:
    return -1 if memory.turn is None else memory.turn


def _order(memory: Memory) -> tuple[int, str]:
    return _turn(memory), memory.id


def _reads_alike(old: Memory, new: Memory) -> bool:
    is_in_place = (old.session_id, old.turn) == (new.session_id, new.turn)
    return is_in_place and scored_text(old) == scored_text(new)
