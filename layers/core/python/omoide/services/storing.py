"""The write path: validate, know again, place, encode, commit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from omoide.domain.errors import (
    FingerprintTakenError,
    InvalidRequestError,
    NotFoundError,
    OmoideError,
    OperationTakenError,
    UnavailableError,
    VersionConflictError,
)
from omoide.domain.identity import RANDOM_BYTES, uuid7
from omoide.domain.memory import Memory
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal, Right
from omoide.domain.scoring_data import ScoringData
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import MAX_CHUNKS, Embedder
from omoide.ports.memory_records import MemoryChange, MemoryRecords, Rescoring, WriteLookups
from omoide.ports.use_log import Accessed, UseLog
from omoide.services.addressing import address_namespace
from omoide.services.drafting import brought_back, claimed_fingerprint, draft_memory
from omoide.services.idempotency import IdempotentCall, find_earlier, hash_request
from omoide.services.limit_requests import LimitRequests
from omoide.services.new_memory import NewMemory, Outcome, Stored
from omoide.services.record_change import change_record
from omoide.services.scoring import InContext, score, with_columns_of
from omoide.services.session_turns import SessionTurns
from omoide.services.viewing import view_of

MAX_ATTEMPTS = 16
"""How often a write that lost a race is decided again before the caller is asked to."""

PLACED_ATTEMPTS = 6
"""How often a store insists on the neighbours it was encoded with; in a session that many write
to at once it then takes its place beside whoever came in between."""

_Answer = TypeVar("_Answer")

RACES = (VersionConflictError, FingerprintTakenError, OperationTakenError)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRequest:
    """A valid memory to be stored.

    Attributes:
        new: As the caller gave it.
        draft: The record it would become; its turn may still be open.
        call: The caller's idempotent call, if any.
    """

    new: NewMemory
    draft: Memory
    call: IdempotentCall | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Storing:
    """What storing one memory and storing many have in common."""

    records: MemoryRecords
    lookups: WriteLookups
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock
    entropy: Entropy

    def new_ids(self, now: datetime, count: int) -> list[str]:
        """Fresh ids in ascending order."""
        return sorted(uuid7(now, self.entropy.bytes(RANDOM_BYTES)) for _ in range(count))

    def prepare(
        self,
        principal: Principal,
        new: NewMemory,
        *,
        memory_id: str,
        now: datetime,
        operation: tuple[str, str | None],
    ) -> StoreRequest:
        """Check a memory and the right to store it.

        Args:
            principal: The caller.
            new: What to store.
            memory_id: The id it will have.
            now: The instant of recording.
            operation: Name of the operation and the caller's operation id, if any.

        Raises:
            InvalidRequestError: Fields are wrong.
            PayloadTooLargeError: The content is too long.
            ForbiddenError: The principal may not write into the namespace.
        """
        name, key = operation
        namespace = address_namespace(principal, new.namespace, Right.WRITE)
        draft = draft_memory(new, namespace=namespace, memory_id=memory_id, now=now)
        call = None
        if key is not None:
            request_hash = hash_request(replace(new, namespace=namespace))
            call = IdempotentCall(
                principal=principal.key_id, name=name, key=key, request_hash=request_hash
            )
        draft = replace(draft, fingerprint=claimed_fingerprint(new, draft))
        return StoreRequest(new=new, draft=draft, call=call)

    def store_one(self, principal: Principal, request: StoreRequest) -> Stored:
        """Store a memory; whoever loses a race decides again.

        Raises:
            IdempotencyMismatchError: The operation id was used for another request.
            NotFoundError: An earlier call stored the memory, and it was deleted since.
            UnavailableError: The store is busy, or every attempt lost a race.
        """
        for attempt in range(MAX_ATTEMPTS):
            try:
                known = self._recognise(principal, request)
                if known is not None:
                    return known
                change = self._plan([request])[0]
                if attempt >= PLACED_ATTEMPTS:
                    change = self._anywhere(change)
                return self._commit(change)
            except RACES:
                continue
        raise UnavailableError("others keep changing the same memories; try again")

    def store_many(
        self, principal: Principal, requests: Sequence[StoreRequest]
    ) -> list[Stored | OmoideError]:
        """Store memories, encoded in one call of the embedder; a bad one fails alone.

        Raises:
            ModelUnavailableError: The embedding model cannot be loaded; nothing was stored.
        """
        answers: dict[int, Stored | OmoideError] = {}
        fresh: dict[int, StoreRequest] = {}
        claimed: set[tuple[str, str]] = set()
        for index, request in enumerate(requests):
            claim = (request.draft.namespace, request.draft.fingerprint or request.draft.id)
            if claim in claimed:
                continue
            known = _attempt(lambda r=request: self._recognise(principal, r))
            if known is not None:
                answers[index] = known
            else:
                fresh[index] = request
                claimed.add(claim)
        answers |= self._commit_all(fresh)
        for index, request in enumerate(requests):
            answer = answers.get(index)
            if answer is None or isinstance(answer, RACES):
                answers[index] = _attempt(lambda r=request: self.store_one(principal, r))
        return [answers[index] for index in range(len(requests))]

    def _commit_all(self, fresh: dict[int, StoreRequest]) -> dict[int, Stored | OmoideError]:
        """Commit in order of turns and ids, for that is the order the plans expect.

        Together, for one commit takes as long as many; one by one where somebody was faster.
        """
        try:
            plans = zip(fresh, self._plan(list(fresh.values())), strict=True)
        except InvalidRequestError:
            return {}
        ordered = sorted(plans, key=_place_of_plan)
        try:
            self.records.commit_all([change for _, change in ordered])
        except RACES:
            return {index: _attempt(lambda c=change: self._commit(c)) for index, change in ordered}
        except OmoideError as error:
            return dict.fromkeys(fresh, error)
        return {index: self._created(change) for index, change in ordered}

    def _recognise(self, principal: Principal, request: StoreRequest) -> Stored | None:
        """The answer where an earlier call or an equal memory already gives it."""
        now = self.clock.now()
        earlier = find_earlier(self.lookups, request.call, now)
        if earlier is not None:
            memory = self.records.get(earlier.memory_id)
            return self._stored(memory, Outcome(earlier.outcome), now)
        draft = request.draft
        if draft.fingerprint is None:
            return None
        known_id = self.lookups.find_fingerprint(draft.namespace, draft.fingerprint)
        if known_id is None:
            return None
        try:
            memory = self.records.get(known_id)
        except NotFoundError:
            return None
        return self._reinforce(principal, request, memory, now)

    def _reinforce(
        self, principal: Principal, request: StoreRequest, memory: Memory, now: datetime
    ) -> Stored:
        """Answer with the equal memory: one more access; out of sight, it comes back."""
        operation = request.call and request.call.done(memory.id, Outcome.DUPLICATE, now)
        restored = brought_back(memory, request.draft, now)
        if restored is not memory:
            change = change_record(self.lookups, self.embedder, memory, restored)
            self.records.commit(replace(change, operation=operation))
            memory = restored
        elif operation is not None:
            self.records.record_operation(operation)
        self.uses.record(
            Accessed(
                namespace=memory.namespace,
                memory_ids=(memory.id,),
                session=request.new.session_id or principal.key_id,
                at=now,
            )
        )
        return self._stored(memory, Outcome.DUPLICATE, now)

    def _stored(self, memory: Memory, outcome: Outcome, now: datetime) -> Stored:
        """The answer with a memory that was there before."""
        scoring = self.lookups.find_scoring(memory.id)
        return _stored(view_of(memory, self.uses, now), outcome, scoring)

    def _plan(self, requests: Sequence[StoreRequest]) -> list[MemoryChange]:
        turns = SessionTurns(self.lookups)
        memories = [turns.place(request.draft) for request in requests]
        places = [
            turns.seen_place(memory, is_assigned=request.draft.turn is None)
            for request, memory in zip(requests, memories, strict=True)
        ]
        placed = [InContext(memory=m, previous=turns.previous(m)) for m in memories]
        followers = [turns.followers(None, memory) for memory in memories]
        scorings = iter(score(self.embedder, [*placed, *(f for some in followers for f in some)]))
        own = [next(scorings) for _ in placed]
        now = self.clock.now()
        return [
            MemoryChange(
                memory=memory,
                expected_version=None,
                scoring=scoring,
                operation=request.call and request.call.done(memory.id, Outcome.CREATED, now),
                rescorings=tuple(Rescoring(scoring=next(scorings)) for _ in some),
                place=place,
            )
            for request, memory, place, scoring, some in zip(
                requests, memories, places, own, followers, strict=True
            )
        ]

    def _anywhere(self, change: MemoryChange) -> MemoryChange:
        """The same change beside whichever neighbours there are by now; nothing is encoded."""
        memory, place, scoring = change.memory, change.place, change.scoring
        if place is None or scoring is None:
            return change
        if place.is_assigned:
            memory = SessionTurns(self.lookups).place(replace(memory, turn=None))
        return replace(
            change,
            memory=memory,
            scoring=with_columns_of(scoring, memory),
            place=replace(place, is_between=False),
        )

    def _commit(self, change: MemoryChange) -> Stored:
        self.records.commit(change)
        return self._created(change)

    def _created(self, change: MemoryChange) -> Stored:
        view = view_of(change.memory, self.uses, self.clock.now())
        return _stored(view, Outcome.CREATED, change.scoring)


def _stored(view: MemoryView, outcome: Outcome, scoring: ScoringData | None) -> Stored:
    chunks = None if scoring is None else len(scoring.vectors)
    return Stored(
        view=view,
        outcome=outcome,
        is_lexical_only=chunks == 0,
        is_partly_lexical=chunks == MAX_CHUNKS + 1,
    )


def _place_of_plan(plan: tuple[int, MemoryChange]) -> tuple[int, str]:
    memory = plan[1].memory
    return memory.turn or 0, memory.id


def _attempt(action: Callable[[], _Answer]) -> _Answer | OmoideError:
    """The answer of an item, or the error that is its answer."""
    try:
        return action()
    except OmoideError as error:
        return error
