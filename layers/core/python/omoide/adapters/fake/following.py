"""Records in memory that an index follows: what is pending, and what there is to index."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from omoide.adapters.fake.folder import FakeFolder
from omoide.adapters.fake.indexing import FakeDeadLetters, FakeIndexBuilder, FakeIndexWriter
from omoide.adapters.fake.records import FakeMemoryRecords
from omoide.adapters.fake.state import FolderState
from omoide.domain.memory import Memory
from omoide.engine.codec import encode
from omoide.ports.clock import Clock
from omoide.ports.memory_records import MemoryChange
from omoide.ports.pending_writes import MemoryRef, PendingList, PendingWrite
from omoide.ports.scoring_source import EntryPage, IndexEntry


@dataclass(slots=True, kw_only=True)
class FollowedState:
    """What is known of writes beside the records.

    Attributes:
        pending: The last write of each memory that is not indexed, oldest first.
        aside: Tokens of those that are not overdue any more.
        write_counts: Writes of each memory and its scoring data so far.
        damaged: Memories whose scoring data is read as bytes that mean nothing.
    """

    pending: dict[MemoryRef, PendingWrite] = field(default_factory=dict[MemoryRef, PendingWrite])
    aside: set[str] = field(default_factory=set[str])
    write_counts: dict[MemoryRef, int] = field(default_factory=dict[MemoryRef, int])
    damaged: set[str] = field(default_factory=set[str])


class FollowedRecords(FakeMemoryRecords):
    """Records that note every write as pending, in the same transaction.

    Args:
        state: What the folder's adapters share.
        followed: What is known of writes.
    """

    def __init__(self, state: FolderState, followed: FollowedState) -> None:
        super().__init__(state)
        self._followed = followed

    def write_again(self, memory_id: str) -> None:
        """Note a memory as pending as a write that changes nothing would."""
        with self._state.lock:
            self._note(self._state.memories[memory_id])

    def _apply(self, change: MemoryChange, former: Memory | None) -> None:
        super()._apply(change, former)
        self._note(change.memory)
        for rescoring in change.rescorings:
            record = self._state.memories.get(rescoring.scoring.memory_id)
            if record is not None and record.version == rescoring.scoring.version:
                self._note(record)

    def _note(self, memory: Memory) -> None:
        ref = MemoryRef(namespace=memory.namespace, memory_id=memory.id)
        followed = self._followed
        followed.write_counts[ref] = followed.write_counts.get(ref, 0) + 1
        followed.pending.pop(ref, None)
        followed.pending[ref] = PendingWrite(
            memory=ref,
            version=memory.version,
            token=f"{memory.id}#{followed.write_counts[ref]}",
            written_at=self._state.clock.now(),
        )


class FakePendingWrites:
    """Implements `PendingWrites`.

    Args:
        state: What the folder's adapters share.
        followed: What is known of writes.
    """

    def __init__(self, state: FolderState, followed: FollowedState) -> None:
        self._state = state
        self._followed = followed

    def of_namespace(self, namespace: str, limit: int) -> PendingList:
        """The newest pending writes of a namespace."""
        writes = [w for w in self._all() if w.memory.namespace == namespace][::-1]
        return PendingList(writes=tuple(writes[:limit]), is_complete=len(writes) <= limit)

    def find(self, memories: Sequence[MemoryRef]) -> list[PendingWrite]:
        """The pending writes of those of the memories that have one."""
        wanted = set(memories)
        return [write for write in self._all() if write.memory in wanted]

    def overdue(self, before: datetime, limit: int) -> list[PendingWrite]:
        """Pending writes of all namespaces written before an instant."""
        aside = self._followed.aside
        late = [w for w in self._all() if w.written_at < before and w.token not in aside]
        return late[:limit]

    def clear(self, writes: Sequence[PendingWrite]) -> None:
        """Forget those whose token is still the same."""
        with self._state.lock:
            for write in self._unchanged(writes):
                del self._followed.pending[write.memory]

    def set_aside(self, writes: Sequence[PendingWrite]) -> None:
        """Let those whose token is still the same be overdue no more."""
        with self._state.lock:
            self._followed.aside.update(write.token for write in self._unchanged(writes))

    def _all(self) -> list[PendingWrite]:
        with self._state.lock:
            self._state.require_up()
            return list(self._followed.pending.values())

    def _unchanged(self, writes: Sequence[PendingWrite]) -> list[PendingWrite]:
        self._state.require_up()
        known = {write.token for write in self._followed.pending.values()}
        return [write for write in writes if write.token in known]


class FakeScoringSource:
    """Implements `ScoringSource`.

    Args:
        state: What the folder's adapters share.
        followed: What is known of writes.
    """

    def __init__(self, state: FolderState, followed: FollowedState) -> None:
        self._state = state
        self._followed = followed

    def read(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """One entry per memory, as the record is now."""
        with self._state.lock:
            self._state.require_up()
            return [self._entry(ref) for ref in memories]

    def read_live(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        """The same."""
        return self.read(memories)

    def newest(
        self, namespace: str, limit: int, before: MemoryRef | None = None
    ) -> list[MemoryRef]:
        """The newest live memories of a namespace, oldest first."""
        with self._state.lock:
            self._state.require_up()
            live = sorted(self._state.live(namespace), key=lambda m: (m.created_at, m.id))
            refs = [_ref(memory) for memory in live]
            if before is not None:
                refs = refs[: refs.index(before)]
            return refs[-limit:]

    def page(self, position: str | None, limit: int) -> EntryPage:
        """The next entries, in the order of their ids."""
        with self._state.lock:
            self._state.require_up()
            ids = sorted(i for i in self._state.scoring if position is None or i > position)
            entries = [self._entry(_ref(self._state.memories[i])) for i in ids[:limit]]
        is_last = len(ids) <= limit
        return EntryPage(entries=tuple(entries), position=None if is_last else ids[limit - 1])

    def _entry(self, ref: MemoryRef) -> IndexEntry:
        memory = self._state.memories.get(ref.memory_id)
        scoring = self._state.scoring.get(ref.memory_id)
        is_here = memory is not None and memory.namespace == ref.namespace
        data = encode(scoring) if scoring is not None and is_here else None
        return IndexEntry(
            memory=ref,
            version=memory.version if memory is not None else 0,
            index_version=self._followed.write_counts.get(ref, 0),
            scoring=b"\xff" if data and ref.memory_id in self._followed.damaged else data,
        )


def _ref(memory: Memory) -> MemoryRef:
    return MemoryRef(namespace=memory.namespace, memory_id=memory.id)


class FollowedFolder(FakeFolder):
    """A data folder in memory that an index follows.

    Attributes:
        pending: `PendingWrites`.
        source: `ScoringSource`.
        writer: `IndexWriter`.
        builder: `IndexBuilder` of the same index.
        dead_letters: `DeadLetters`.
        counters: `UseLog`.
        followed: What is known of writes.

    Args:
        clock: The time of day; a `FakeClock` by default.
    """

    def __init__(self, *, clock: Clock | None = None) -> None:
        super().__init__(clock=clock)
        self.followed = FollowedState()
        self.records = FollowedRecords(self._state, self.followed)
        self.pending = FakePendingWrites(self._state, self.followed)
        self.source = FakeScoringSource(self._state, self.followed)
        self.writer = FakeIndexWriter()
        self.builder = FakeIndexBuilder(self.writer)
        self.dead_letters = FakeDeadLetters()
        self.counters = self.uses
