"""Everything that can go wrong, as one tree.

OmoideError
├── InvalidRequestError         a field is wrong; names it
├── PayloadTooLargeError        a text or body over its limit
├── UnauthenticatedError        no key, or not a valid one
├── ForbiddenError              a valid key without the right
├── NotFoundError               unknown, deleted, or not visible to the caller: never told apart
├── ConflictError
│   ├── VersionConflictError    the record has another version by now
│   └── IdempotencyMismatchError  the same operation id with another request
├── RateLimitedError            too many requests of this principal
├── UnavailableError            a part is down or busy; try again
│   └── ModelUnavailableError   the embedding model cannot be loaded
├── IncompatibleDataError       the data folder belongs to another program version or model
└── (internal to adapters and services, never shown)
    ├── FingerprintTakenError   the same text is there already
    └── OperationTakenError     the same operation id is there already
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """What is wrong with one field."""

    field: str
    problem: str


class OmoideError(Exception):
    """Base of all errors of this package."""

    code = "INTERNAL"

    def __init__(self, message: str = "", *, details: Sequence[FieldProblem] = ()) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip().splitlines()[0])
        self.details = tuple(details)


class InvalidRequestError(OmoideError):
    """The request has a field that cannot be accepted."""

    code = "VALIDATION_ERROR"

    @classmethod
    def of(cls, field: str, problem: str) -> "InvalidRequestError":
        """An error about one field."""
        return cls(f"{field}: {problem}", details=[FieldProblem(field=field, problem=problem)])

    @classmethod
    def of_all(cls, problems: Sequence[FieldProblem]) -> "InvalidRequestError":
        """An error about several fields."""
        message = "; ".join(f"{one.field}: {one.problem}" for one in problems)
        return cls(message, details=problems)


class PayloadTooLargeError(OmoideError):
    """The request is larger than this operation takes."""

    code = "PAYLOAD_TOO_LARGE"


class UnauthenticatedError(OmoideError):
    """A valid key is needed."""

    code = "UNAUTHENTICATED"


class ForbiddenError(OmoideError):
    """The key does not allow this."""

    code = "FORBIDDEN"


class NotFoundError(OmoideError):
    """There is no such thing, or it is not visible to the caller."""

    code = "NOT_FOUND"


class ConflictError(OmoideError):
    """The request contradicts the present state."""

    code = "CONFLICT"


class VersionConflictError(ConflictError):
    """The record was changed by someone else."""


class IdempotencyMismatchError(ConflictError):
    """This operation id was used for another request."""

    code = "IDEMPOTENCY_MISMATCH"


class RateLimitedError(OmoideError):
    """Too many requests.

    Attributes:
        retry_after_s: Seconds until the next request may succeed.
        count: Requests counted in the window.
    """

    code = "RATE_LIMITED"

    def __init__(self, message: str = "", *, retry_after_s: int, count: int = 0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.count = count


class UnavailableError(OmoideError):
    """A part of the service is not available; try again."""

    code = "UNAVAILABLE"


class ModelUnavailableError(UnavailableError):
    """The embedding model cannot be loaded."""


class IncompatibleDataError(OmoideError):
    """The stored data does not fit this program or this embedding model."""

    code = "UNAVAILABLE"


class FingerprintTakenError(OmoideError):
    """A memory with this fingerprint exists.

    Attributes:
        memory_id: Its id.
    """

    def __init__(self, memory_id: str) -> None:
        super().__init__()
        self.memory_id = memory_id


class OperationTakenError(OmoideError):
    """This operation id is recorded already."""
