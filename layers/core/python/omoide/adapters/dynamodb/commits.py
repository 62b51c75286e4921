"""What one change writes: everything in one transaction, on the condition of what was read."""

from dataclasses import dataclass
from datetime import datetime

from pynamodb.expressions.condition import Condition

from omoide.adapters.dynamodb.item_keys import (
    due_partition,
    due_shard,
    fingerprint_key,
    locator_key,
    pending_key,
    scoring_key,
    session_key,
    turn_key,
    use_key,
)
from omoide.adapters.dynamodb.items import (
    FingerprintItem,
    LocatorItem,
    MemoryItem,
    PendingItem,
    ScoringItem,
    SessionItem,
    TurnItem,
)
from omoide.adapters.dynamodb.memory_items import earlier_version, is_shown, write_memory
from omoide.adapters.dynamodb.operations import is_free, write_operation
from omoide.adapters.dynamodb.stored_state import StoredRecord, StoredState
from omoide.adapters.dynamodb.writes import Writes
from omoide.domain.errors import FingerprintTakenError, OperationTakenError, VersionConflictError
from omoide.domain.memory import SCHEMA_VERSION
from omoide.domain.scoring_data import ScoringData
from omoide.engine.codec import encode
from omoide.ports.memory_records import MemoryChange

PENDING_KIND = "pending"


def require_writable(change: MemoryChange, state: StoredState, now: datetime) -> None:
    """Refuse a change that does not fit what is stored.

    Raises:
        OperationTakenError: The operation is recorded already.
        VersionConflictError: The stored record has another version, or other neighbours.
        FingerprintTakenError: Another live memory has the fingerprint.
    """
    if state.namespace not in (None, change.memory.namespace):
        raise ValueError("a memory never changes its namespace")
    if state.operation is not None and state.operation.expires_at > now:
        raise OperationTakenError
    _require_version(change, state.former)
    _require_place(change, state)
    is_taken = state.holder not in (None, change.memory.id)
    if state.holder is not None and is_taken and change.memory.deleted_at is None:
        raise FingerprintTakenError(state.holder)


def _require_version(change: MemoryChange, former: StoredRecord | None) -> None:
    if former is None or former.is_deleted:
        holds = former is None and change.expected_version is None
    else:
        holds = former.version == change.expected_version
    if not holds:
        raise VersionConflictError


def _require_place(change: MemoryChange, state: StoredState) -> None:
    place, found = change.place, state.surroundings
    if place is None or found is None:
        return
    is_beside = (found.previous, found.next) == (place.previous, place.next)
    if (place.is_assigned and found.is_shared) or (place.is_between and not is_beside):
        raise VersionConflictError


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Fills the transaction of a change that `require_writable` let pass.

    Attributes:
        change: The change.
        state: What it was decided by.
        now: The instant of writing.
        token: Another one with every commit.
    """

    change: MemoryChange
    state: StoredState
    now: datetime
    token: str

    def fill(self, writes: Writes) -> None:
        """Add everything the change writes."""
        self._write_record(writes)
        self._move_fingerprint(writes)
        self._move_turn(writes)
        self._write_scoring(writes)
        if self.change.operation is not None:
            writes.put(write_operation(self.change.operation), is_free(self.now))
        is_live, was_live = self._is_shown, self._was_shown
        self._note_pending(
            writes,
            self.change.memory.id,
            self.change.memory.version,
            count_delta=is_live - was_live,
            is_deletion=self.change.memory.deleted_at is not None,
        )
        for scoring in self._rescored():
            self._rescore(writes, scoring, self.state.followers[scoring.memory_id])

    @property
    def _is_shown(self) -> bool:
        return is_shown(self.change.memory)

    @property
    def _was_shown(self) -> bool:
        return self.state.former is not None and self.state.former.is_shown

    @property
    def _index_version(self) -> int:
        return 1 if self.state.former is None else self.state.former.index_version + 1

    @property
    def _scoring(self) -> ScoringData | None:
        return self.change.scoring if self._is_shown else None

    def _write_record(self, writes: Writes) -> None:
        memory, former = self.change.memory, self.state.former
        item = write_memory(
            memory,
            index_version=self._index_version,
            scoring_revision=self._scoring.revision if self._scoring else None,
        )
        if former is None:
            writes.put(item, MemoryItem.pk.does_not_exist())
            key = locator_key(memory.id)
            locator = LocatorItem(pk=key.pk, sk=key.sk, namespace=memory.namespace)
            writes.put(locator.serialize(), LocatorItem.pk.does_not_exist())
            return
        writes.put(item, _unchanged(former))
        if memory.deleted_at is None:
            writes.put(earlier_version(former.raw))
        else:
            writes.delete(use_key(memory.namespace, memory.id))

    def _move_fingerprint(self, writes: Writes) -> None:
        memory, former = self.change.memory, self.state.former
        old = former.fingerprint if former else None
        new = memory.fingerprint if memory.deleted_at is None else None
        if old == new:
            return
        is_ours = FingerprintItem.pk.does_not_exist() | (FingerprintItem.memory_id == memory.id)
        if old is not None:
            writes.delete(fingerprint_key(memory.namespace, old), is_ours)
        if new is not None:
            key = fingerprint_key(memory.namespace, new)
            item = FingerprintItem(pk=key.pk, sk=key.sk, memory_id=memory.id)
            writes.put(item.serialize(), is_ours)

    def _move_turn(self, writes: Writes) -> None:
        memory, former = self.change.memory, self.state.former
        old = former.place if former and former.is_shown else None
        new = None
        if self._is_shown and memory.session_id is not None and memory.turn is not None:
            new = memory.session_id, memory.turn
        if old is not None and old != new:
            writes.delete(turn_key(memory.namespace, *old, memory.id))
        if new is not None:
            key = turn_key(memory.namespace, *new, memory.id)
            item = TurnItem(
                pk=key.pk, sk=key.sk, memory_id=memory.id, version=memory.version, turn=new[1]
            )
            writes.put(item.serialize())
        sessions = {place[0] for place in (old, new) if place}
        if self.state.surroundings is not None and memory.session_id is not None:
            sessions.add(memory.session_id)
        for session_id in sorted(sessions):
            writes.update(
                session_key(memory.namespace, session_id),
                [SessionItem.schema.set(SCHEMA_VERSION)],
                adds={"changes": 1},
                condition=self._same_session(session_id),
            )

    def _same_session(self, session_id: str) -> Condition | None:
        """That the session has not changed since its turns were read, where they count."""
        found, place = self.state.surroundings, self.change.place
        if found is None or place is None or session_id != self.change.memory.session_id:
            return None
        if not place.is_between and not place.is_assigned:
            return None
        if found.changes is None:
            return SessionItem.pk.does_not_exist()
        return SessionItem.changes == found.changes

    def _write_scoring(self, writes: Writes) -> None:
        memory, scoring = self.change.memory, self._scoring
        old = self.state.former.scoring_revision if self.state.former else None
        if old is not None and (scoring is None or scoring.revision != old):
            writes.delete(scoring_key(memory.namespace, memory.id, old))
        if scoring is not None:
            self._put_scoring(writes, scoring, self._index_version)

    def _rescored(self) -> list[ScoringData]:
        """New scoring data of those followers that are still what they were made of."""
        latest = {r.scoring.memory_id: r.scoring for r in self.change.rescorings}
        latest.pop(self.change.memory.id, None)
        followers = self.state.followers
        return [
            scoring
            for memory_id, scoring in latest.items()
            if memory_id in followers
            and followers[memory_id].is_shown
            and followers[memory_id].version == scoring.version
        ]

    def _rescore(self, writes: Writes, scoring: ScoringData, stored: StoredRecord) -> None:
        index_version = stored.index_version + 1
        told = {
            "index_version": {"N": str(index_version)},
            "scoring_revision": {"S": scoring.revision},
        }
        writes.put(stored.raw | told, _unchanged(stored))
        old = stored.scoring_revision
        if old is not None and old != scoring.revision:
            writes.delete(scoring_key(scoring.namespace, scoring.memory_id, old))
        self._put_scoring(writes, scoring, index_version)
        self._note_pending(writes, scoring.memory_id, scoring.version)

    def _put_scoring(self, writes: Writes, scoring: ScoringData, index_version: int) -> None:
        key = scoring_key(scoring.namespace, scoring.memory_id, scoring.revision)
        item = ScoringItem(
            pk=key.pk,
            sk=key.sk,
            data=encode(scoring),
            version=scoring.version,
            index_version=index_version,
            revision=scoring.revision,
        )
        writes.put(item.serialize())

    def _note_pending(
        self,
        writes: Writes,
        memory_id: str,
        version: int,
        *,
        count_delta: int = 0,
        is_deletion: bool = False,
    ) -> None:
        writes.update(
            pending_key(self.change.memory.namespace, memory_id),
            [
                PendingItem.version.set(version),
                PendingItem.token.set(self.token),
                PendingItem.is_deletion.set(is_deletion),
                PendingItem.written_at.set(self.now),
                PendingItem.due_pk.set(due_partition(PENDING_KIND, due_shard(memory_id))),
                PendingItem.due_sk.set(self.now),
                PendingItem.schema.set(SCHEMA_VERSION),
            ],
            adds={"count_delta": count_delta},
        )


def _unchanged(record: StoredRecord) -> Condition:
    """That the record and its scoring data are as they were read."""
    return MemoryItem.index_version == record.index_version
