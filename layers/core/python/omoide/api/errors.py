"""From errors to answers: one shape, one table of codes and statuses.

Errors of HTTP itself join the tree of `omoide.domain.errors` here:

OmoideError
├── MalformedBodyError         the body cannot be read
├── MalformedHeaderError       a header field cannot be read one way
├── UnsupportedMediaTypeError  the body is of another type than JSON
├── MethodNotAllowedError      the path exists, the method does not
└── InternalError              stands for everything unexpected; says nothing of it
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pydantic_core

from omoide.api.shapes import FIELD_NAMES, Shape
from omoide.domain.errors import (
    ConflictError,
    FieldProblem,
    ForbiddenError,
    IncompatibleDataError,
    InvalidRequestError,
    ModelUnavailableError,
    NotFoundError,
    OmoideError,
    PayloadTooLargeError,
    RateLimitedError,
    UnauthenticatedError,
    UnavailableError,
)


class MalformedBodyError(OmoideError):
    """The body of the request cannot be read."""

    code = "MALFORMED_BODY"

    @classmethod
    def of(cls, name: str, problem: str) -> "MalformedBodyError":
        """An error about the body or one field of it."""
        return cls(f"{name}: {problem}", details=[FieldProblem(field=name, problem=problem)])


class MalformedHeaderError(OmoideError):
    """A header field of the request cannot be read one way."""

    code = "MALFORMED_HEADER"

    @classmethod
    def repeated(cls, name: str) -> "MalformedHeaderError":
        """An error about a field that was given more than once."""
        problem = "is given more than once"
        return cls(f"{name}: {problem}", details=[FieldProblem(field=name, problem=problem)])


class UnsupportedMediaTypeError(OmoideError):
    """The body must be application/json."""

    code = "UNSUPPORTED_MEDIA_TYPE"


class MethodNotAllowedError(OmoideError):
    """This path does not take this method."""

    code = "METHOD_NOT_ALLOWED"


class InternalError(OmoideError):
    """Something went wrong on our side."""

    code = "INTERNAL"


STATUS: Mapping[type[OmoideError], int] = {
    MalformedBodyError: 400,
    MalformedHeaderError: 400,
    UnauthenticatedError: 401,
    ForbiddenError: 403,
    NotFoundError: 404,
    MethodNotAllowedError: 405,
    ConflictError: 409,
    PayloadTooLargeError: 413,
    UnsupportedMediaTypeError: 415,
    InvalidRequestError: 422,
    RateLimitedError: 429,
    InternalError: 500,
    UnavailableError: 503,
    IncompatibleDataError: 503,
}
"""The status of each error; subclasses have that of their parent."""

_MAX_TOLD = 500

MEMEX_RETRY_AFTER_S = 60
"""memex tells every limited caller to wait a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnswer:
    """An error as an HTTP answer.

    Attributes:
        status: HTTP status.
        payload: The JSON object of the body.
        headers: Further header fields.
    """

    status: int
    payload: dict[str, object]
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def body(self) -> str:
        """The body as JSON text."""
        return pydantic_core.to_json(self.payload).decode()


def status_of(error: OmoideError) -> int | None:
    """The status of an error; None for one that must never reach a caller."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), None)


def error_object(error: OmoideError, request_id: str) -> dict[str, object]:
    """What stands under ``error`` in an answer."""
    return {
        "code": error.code,
        "message": _printable(_message_of(error)),
        "details": [
            {"field": _printable(d.field), "problem": _printable(d.problem)} for d in error.details
        ],
        "request_id": request_id,
    }


def answer_error(
    error: OmoideError, *, request_id: str, shape: Shape = Shape.NATIVE
) -> ErrorAnswer:
    """Turn an error into its answer.

    Args:
        error: What went wrong. One without a status of its own is told as an internal error.
        request_id: Id of the request, for the operator to find it in the log.
        shape: Shape of the request: memex's adds its ``detail`` string.
    """
    status = status_of(error)
    if status is None:
        return answer_error(InternalError(), request_id=request_id, shape=shape)
    error = _in_words_of(shape, error)
    payload: dict[str, object] = {"error": error_object(error, request_id)}
    headers: dict[str, str] = {}
    if isinstance(error, RateLimitedError):
        is_memex = shape is Shape.MEMEX
        headers["Retry-After"] = str(MEMEX_RETRY_AFTER_S if is_memex else error.retry_after_s)
    if isinstance(error, UnauthenticatedError):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, UnavailableError):
        headers["Retry-After"] = "1"
    if shape is Shape.MEMEX:
        payload["detail"] = _memex_detail(error)
    return ErrorAnswer(status=status, payload=payload, headers=headers)


def _in_words_of(shape: Shape, error: OmoideError) -> OmoideError:
    names = FIELD_NAMES.get(shape, {})
    if not any(detail.field in names for detail in error.details):
        return error
    details = [replace(d, field=names.get(d.field, d.field)) for d in error.details]
    message = "; ".join(f"{detail.field}: {detail.problem}" for detail in details)
    return type(error)(message, details=details)


def _memex_detail(error: OmoideError) -> str:
    if isinstance(error, NotFoundError):
        return "not found or does not belong to this agent"
    if isinstance(error, RateLimitedError):
        return f"Rate limit exceeded: {error.count} requests in the last minute"
    return _printable(_message_of(error))


def _message_of(error: OmoideError) -> str:
    """What a caller may read: why a model cannot be loaded names paths of the machine."""
    if isinstance(error, ModelUnavailableError):
        return "The embedding model cannot be loaded; `omoide doctor` on its machine tells why."
    return str(error)


def _printable(text: str) -> str:
    """What callers sent may be in it: keep it short, and text."""
    short = text if len(text) <= _MAX_TOLD else text[:_MAX_TOLD] + "…"
    return short.encode("utf-8", "replace").decode()
