"""Records in memory."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from omoide.adapters.fake.state import FolderState, is_shown
from omoide.domain.errors import (
    FingerprintTakenError,
    NotFoundError,
    OperationTakenError,
    VersionConflictError,
)
from omoide.domain.matching import matches
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.scoring_data import ScoringData
from omoide.ports.memory_records import (
    MemoryChange,
    MemoryPage,
    Neighbour,
    Operation,
    PagePosition,
)


class FakeMemoryRecords:
    """Implements `MemoryRecords` and `WriteLookups` over dictionaries.

    Args:
        state: What the folder's adapters share.
    """

    def __init__(self, state: FolderState) -> None:
        self._state = state

    def commit(self, change: MemoryChange) -> None:
        """Apply a change atomically."""
        state = self._state
        with state.lock:
            state.require_up()
            former = state.memories.get(change.memory.id)
            _check_change(change, former)
            self._check_operation(change.operation)
            _check_version(change, former)
            self._check_place(change)
            self._check_fingerprint(change.memory)
            self._apply(change, former)

    def record_operation(self, operation: Operation) -> None:
        """Record the outcome of a call that changed no memory."""
        with self._state.lock:
            self._state.require_up()
            self._check_operation(operation)
            key = (operation.principal, operation.name, operation.key)
            self._state.operations[key] = operation

    def commit_all(self, changes: Sequence[MemoryChange]) -> None:
        """Apply changes in their order, all of them in one transaction or none."""
        with self._state.lock:
            before = self._state.copy()
            try:
                for change in changes:
                    self.commit(change)
            except BaseException:
                self._state.restore(before)
                raise

    def get(self, memory_id: str) -> Memory:
        """Return a memory of whichever namespace."""
        with self._state.lock:
            self._state.require_up()
            memory = self._state.memories.get(memory_id)
        if memory is None or not is_shown(memory):
            raise NotFoundError
        return memory

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Memory]:
        """Return those of the ids that are live in the namespace."""
        with self._state.lock:
            self._state.require_up()
            found = [self._state.memories.get(i) for i in memory_ids]
        return {m.id: m for m in found if m and m.namespace == namespace and is_shown(m)}

    def page(
        self, namespace: str, where: MemoryFilter, after: PagePosition | None, limit: int
    ) -> MemoryPage:
        """Return the next memories that satisfy the filter, newest first."""
        with self._state.lock:
            self._state.require_up()
            live = self._state.live(namespace)
        wanted = sorted(
            (m for m in live if matches(where, m)), key=lambda m: (m.created_at, m.id), reverse=True
        )
        if after is not None:
            start = (after.created_at, after.memory_id)
            wanted = [m for m in wanted if (m.created_at, m.id) < start]
        shown = tuple(wanted[:limit])
        if len(wanted) <= limit:
            return MemoryPage(memories=shown, next_position=None)
        last = shown[-1]
        position = PagePosition(created_at=last.created_at, memory_id=last.id)
        return MemoryPage(memories=shown, next_position=position)

    def count(self, namespace: str, where: MemoryFilter | None = None) -> int:
        """Number of live memories."""
        with self._state.lock:
            self._state.require_up()
            live = self._state.live(namespace)
        return sum(where is None or matches(where, m) for m in live)

    def history(self, memory_id: str) -> tuple[Memory, ...]:
        """Every earlier version, oldest first."""
        with self._state.lock:
            self._state.require_up()
            return tuple(self._state.histories.get(memory_id, ()))

    def find_fingerprint(self, namespace: str, fingerprint: str) -> str | None:
        """Id of the live memory that holds the fingerprint."""
        with self._state.lock:
            self._state.require_up()
            return self._state.fingerprints.get((namespace, fingerprint))

    def find_operation(self, principal: str, name: str, key: str) -> Operation | None:
        """The recorded operation, also when expired."""
        with self._state.lock:
            self._state.require_up()
            return self._state.operations.get((principal, name, key))

    def find_scoring(self, memory_id: str, revision: str | None = None) -> ScoringData | None:
        """The stored scoring data of a live memory under a model revision; None is whichever."""
        with self._state.lock:
            self._state.require_up()
            scoring = self._state.scoring.get(memory_id)
        is_other = scoring is None or revision not in {None, scoring.revision}
        return None if is_other else scoring

    def previous_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the greatest turn below."""
        turns = self._turns(namespace, session_id)
        return _last_before(turn, [(t, m) for t, m in turns if m.id not in without])

    def next_turn(
        self, namespace: str, session_id: str, turn: int, *, without: Collection[str] = ()
    ) -> Memory | None:
        """The live memory with the smallest turn above."""
        turns = self._turns(namespace, session_id)
        return _first_after(turn, [(t, m) for t, m in turns if m.id not in without])

    def last_turn(self, namespace: str, session_id: str) -> int | None:
        """The greatest turn of the session."""
        return max((turn for turn, _ in self._turns(namespace, session_id)), default=None)

    def _turns(self, namespace: str, session_id: str) -> Iterator[tuple[int, Memory]]:
        with self._state.lock:
            self._state.require_up()
            live = self._state.live(namespace)
        for memory in live:
            if memory.session_id == session_id and memory.turn is not None:
                yield memory.turn, memory

    def _check_operation(self, operation: Operation | None) -> None:
        if operation is None:
            return
        recorded = self._state.operations.get((operation.principal, operation.name, operation.key))
        if recorded is not None and recorded.expires_at > self._state.clock.now():
            raise OperationTakenError

    def _check_fingerprint(self, memory: Memory) -> None:
        if memory.fingerprint is None or memory.deleted_at is not None:
            return
        holder = self._state.fingerprints.get((memory.namespace, memory.fingerprint))
        if holder is not None and holder != memory.id:
            raise FingerprintTakenError(holder)

    def _check_place(self, change: MemoryChange) -> None:
        memory, place = change.memory, change.place
        if place is None or memory.session_id is None or memory.turn is None:
            return
        turns = self._turns(memory.namespace, memory.session_id)
        others = [(turn, m) for turn, m in turns if m.id != memory.id]
        is_taken = place.is_assigned and any(turn == memory.turn for turn, _ in others)
        found = (_last_before(memory.turn, others), _first_after(memory.turn, others))
        is_beside = tuple(map(_neighbour, found)) == (place.previous, place.next)
        if is_taken or (place.is_between and not is_beside):
            raise VersionConflictError

    def _apply(self, change: MemoryChange, former: Memory | None) -> None:
        state, memory = self._state, change.memory
        if former is not None and former.fingerprint is not None:
            state.fingerprints.pop((former.namespace, former.fingerprint), None)
        if memory.deleted_at is not None:
            self._bury(memory)
        else:
            if former is not None:
                state.histories.setdefault(memory.id, []).append(former)
            if memory.fingerprint is not None:
                state.fingerprints[memory.namespace, memory.fingerprint] = memory.id
            state.memories[memory.id] = memory
            self._score(change)
        if change.operation is not None:
            operation = change.operation
            state.operations[operation.principal, operation.name, operation.key] = operation
        for rescoring in change.rescorings:
            record = state.memories.get(rescoring.scoring.memory_id)
            if record and is_shown(record) and record.version == rescoring.scoring.version:
                state.scoring.pop(record.id, None)
                state.scoring[record.id] = rescoring.scoring

    def _bury(self, memory: Memory) -> None:
        state = self._state
        state.memories[memory.id] = replace(memory, content="", fingerprint=None)
        for kept in (state.scoring, state.histories, state.uses):
            kept.pop(memory.id, None)

    def _score(self, change: MemoryChange) -> None:
        memory = change.memory
        self._state.scoring.pop(memory.id, None)
        if memory.visible and change.scoring is not None:
            self._state.scoring[memory.id] = change.scoring


def _last_before(turn: int, turns: Iterable[tuple[int, Memory]]) -> Memory | None:
    earlier = [(t, m.id, m) for t, m in turns if t < turn]
    return max(earlier, default=(0, "", None))[2]


def _first_after(turn: int, turns: Iterable[tuple[int, Memory]]) -> Memory | None:
    later = [(t, m.id, m) for t, m in turns if t > turn]
    return min(later, default=(0, "", None))[2]


def _neighbour(memory: Memory | None) -> Neighbour | None:
    return None if memory is None else Neighbour(memory_id=memory.id, version=memory.version)


def _check_change(change: MemoryChange, former: Memory | None) -> None:
    memory = change.memory
    if memory.deleted_at is None and change.scoring is None:
        raise ValueError("a memory that is not deleted needs scoring data")
    if former is not None and former.namespace != memory.namespace:
        raise ValueError("a memory never changes its namespace")


def _check_version(change: MemoryChange, former: Memory | None) -> None:
    if former is None or former.deleted_at is not None:
        holds = former is None and change.expected_version is None
    else:
        holds = former.version == change.expected_version
    if not holds:
        raise VersionConflictError
