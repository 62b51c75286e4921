"""Store one memory."""

from dataclasses import dataclass

from omoide.domain.limits import check_operation_id
from omoide.domain.principal import Principal
from omoide.ports.rate_limiter import RequestKind
from omoide.services.new_memory import Dedupe, NewMemory, Outcome, Stored
from omoide.services.storing import Storing

__all__ = ["Dedupe", "NewMemory", "Outcome", "StoreMemory", "Stored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreMemory(Storing):
    """Stores one memory, once: the same text again is the same memory (``duplicate``)."""

    def __call__(
        self, principal: Principal, new: NewMemory, *, operation_id: str | None = None
    ) -> Stored:
        """Store a memory.

        Args:
            principal: The caller.
            new: What to store.
            operation_id: Makes the call idempotent for 24 hours: the same request again gets the
                first answer, with the record as it is by then.

        Raises:
            InvalidRequestError: Fields are wrong; its details name each of them.
            PayloadTooLargeError: The content is longer than 32,768 characters.
            ForbiddenError: The principal may not write into the namespace.
            RateLimitedError: Too many writes in the last minute.
            IdempotencyMismatchError: The operation id was used for another request.
            NotFoundError: An earlier call stored the memory, and it was deleted since.
            UnavailableError: The store or the embedding model is not available.
        """
        check_operation_id(operation_id)
        now = self.clock.now()
        request = self.prepare(
            principal,
            new,
            memory_id=self.new_ids(now, 1)[0],
            now=now,
            operation=("store_memory", operation_id),
        )
        self.limit(principal, RequestKind.WRITE)
        return self.store_one(principal, request)
