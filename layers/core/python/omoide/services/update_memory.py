"""Change fields of one memory."""

from dataclasses import dataclass, replace
from datetime import datetime

from omoide.domain.errors import (
    ConflictError,
    FieldProblem,
    FingerprintTakenError,
    OperationTakenError,
    UnavailableError,
    VersionConflictError,
)
from omoide.domain.fingerprint import renewed
from omoide.domain.limits import check_memory, check_operation_id
from omoide.domain.memory import Memory
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal, Right
from omoide.domain.unset import UNSET
from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import UseLog
from omoide.services.addressing import address_memory
from omoide.services.idempotency import IdempotentCall, find_earlier, hash_request
from omoide.services.limit_requests import LimitRequests
from omoide.services.memory_patch import MemoryPatch, check_patch, patched
from omoide.services.record_change import change_record
from omoide.services.storing import MAX_ATTEMPTS
from omoide.services.viewing import view_of

__all__ = ["UNSET", "MemoryPatch", "UpdateMemory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMemory:
    """Changes fields of a memory; where nothing that is encoded changes, nothing is encoded."""

    records: MemoryRecords
    lookups: WriteLookups
    uses: UseLog
    embedder: Embedder
    limit: LimitRequests
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        memory_id: str,
        patch: MemoryPatch,
        *,
        expected_version: int | None = None,
        operation_id: str | None = None,
    ) -> MemoryView:
        """Change a memory.

        A change that changes nothing makes no new version.

        Args:
            principal: The caller.
            memory_id: What to change.
            patch: The new values.
            expected_version: The version the caller has seen; None changes whichever there is.
            operation_id: Makes the call idempotent for 24 hours.

        Raises:
            InvalidRequestError: Fields are wrong; its details name each of them.
            PayloadTooLargeError: The content is longer than 32,768 characters.
            NotFoundError: Unknown, deleted, or not visible to the principal.
            ForbiddenError: The principal may read the memory, but not write.
            VersionConflictError: The record has another version by now.
            ConflictError: Another memory holds the new text already; its id is told.
            IdempotencyMismatchError: The operation id was used for another request.
            RateLimitedError: Too many writes in the last minute.
            UnavailableError: Store or model is not available, or every attempt lost a race.
        """
        check_operation_id(operation_id)
        self.limit(principal, RequestKind.WRITE)
        call = _call(principal, memory_id, patch, expected_version, operation_id)
        for _ in range(MAX_ATTEMPTS):
            changed = self._attempt(principal, memory_id, patch, expected_version, call)
            if changed is not None:
                return changed
        raise UnavailableError("others keep changing this memory; try again")

    def _attempt(
        self,
        principal: Principal,
        memory_id: str,
        patch: MemoryPatch,
        expected_version: int | None,
        call: IdempotentCall | None,
    ) -> MemoryView | None:
        """The changed memory; None when another write came between."""
        memory = address_memory(self.records, principal, memory_id, Right.WRITE)
        now = self.clock.now()
        if find_earlier(self.lookups, call, now) is None:
            if expected_version not in {None, memory.version}:
                raise VersionConflictError(f"the memory has version {memory.version} by now")
            try:
                memory = self._change(memory, patch, call, now)
            except (OperationTakenError, VersionConflictError):
                return None
        return view_of(memory, self.uses, now)

    def _change(
        self,
        old: Memory,
        patch: MemoryPatch,
        call: IdempotentCall | None,
        now: datetime,
    ) -> Memory:
        operation = call and call.done(old.id, "updated", now)
        new = patched(old, patch, now)
        if new == old:
            if operation is not None:
                self.records.record_operation(operation)
            return old
        check_memory(new)
        new = replace(
            new,
            version=old.version + 1,
            updated_at=max(now, old.updated_at),
            fingerprint=renewed(old, new),
        )
        change = change_record(self.lookups, self.embedder, old, new)
        try:
            self.records.commit(replace(change, operation=operation))
        except FingerprintTakenError as error:
            problem = f"the memory {error.memory_id} says the same already"
            raise ConflictError(
                problem, details=[FieldProblem(field="content", problem=problem)]
            ) from error
        return change.memory


def _call(
    principal: Principal,
    memory_id: str,
    patch: MemoryPatch,
    expected_version: int | None,
    operation_id: str | None,
) -> IdempotentCall | None:
    if operation_id is None:
        return None
    check_patch(patch)
    return IdempotentCall(
        principal=principal.key_id,
        name="update_memory",
        key=operation_id,
        request_hash=hash_request(patch, memory_id=memory_id.lower(), version=expected_version),
    )
