"""Store up to 100 memories at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from omoide.domain.errors import (
    FieldProblem,
    InvalidRequestError,
    OmoideError,
    PayloadTooLargeError,
)
from omoide.domain.limits import MAX_BATCH, MAX_CONTENT, check_operation_id
from omoide.domain.principal import Principal
from omoide.ports.rate_limiter import RequestKind
from omoide.services.new_memory import NewMemory, Stored
from omoide.services.storing import StoreRequest, Storing


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreMemories(Storing):
    """Stores a batch of memories, encoded together; a bad item fails alone."""

    def __call__(
        self,
        principal: Principal,
        items: Sequence[NewMemory | OmoideError],
        *,
        operation_id: str | None = None,
    ) -> list[Stored | OmoideError]:
        """Store a batch; answers come in the order of the items.

        Equal texts inside a batch become one memory. A batch counts as one write.

        Args:
            principal: The caller.
            items: 1..100 memories, with at most 32,768 characters of content together; an item
                that is an error already comes back in its place.
            operation_id: Makes each item an idempotent call under ``<operation_id>#<index>``.

        Raises:
            InvalidRequestError: No items, more than 100, or a bad operation id.
            PayloadTooLargeError: The contents are too long together.
            RateLimitedError: Too many writes in the last minute.
            ModelUnavailableError: The embedding model cannot be loaded; nothing was stored.
        """
        check_operation_id(operation_id)
        _check_size(items)
        self.limit(principal, RequestKind.WRITE)
        prepared, answers = self._prepared(principal, items, operation_id)
        stored = self.store_many(principal, list(prepared.values()))
        answers |= dict(zip(prepared, stored, strict=True))
        return [answers[index] for index in range(len(items))]

    def _prepared(
        self,
        principal: Principal,
        items: Sequence[NewMemory | OmoideError],
        operation_id: str | None,
    ) -> tuple[dict[int, StoreRequest], dict[int, Stored | OmoideError]]:
        """Requests to store and errors, both by the place of their item."""
        now = self.clock.now()
        prepared: dict[int, StoreRequest] = {}
        answers: dict[int, Stored | OmoideError] = {}
        for index, memory_id in enumerate(self.new_ids(now, len(items))):
            item = items[index]
            key = None if operation_id is None else f"{operation_id}#{index}"
            try:
                if isinstance(item, OmoideError):
                    raise item
                prepared[index] = self.prepare(
                    principal,
                    item,
                    memory_id=memory_id,
                    now=now,
                    operation=("store_memories", key),
                )
            except OmoideError as error:
                answers[index] = error
        return prepared, answers


def _check_size(items: Sequence[NewMemory | OmoideError]) -> None:
    if not items:
        raise InvalidRequestError.of("memories", "must hold at least one memory")
    if len(items) > MAX_BATCH:
        raise InvalidRequestError.of("memories", f"holds more than {MAX_BATCH} memories")
    lengths = (len(item.content) for item in items if isinstance(item, NewMemory))
    if sum(length for length in lengths if length <= MAX_CONTENT) > MAX_CONTENT:
        problem = f"hold more than {MAX_CONTENT:,} characters together; send smaller batches"
        raise PayloadTooLargeError(
            f"memories: {problem}", details=[FieldProblem(field="memories", problem=problem)]
        )
