"""Answers to requests that no handler sees, in the API's one error shape."""

import logging
import traceback
from collections.abc import Sequence

from infra.local.proxy_event import LocalResponse
from omoide.api.errors import InternalError, MethodNotAllowedError, answer_error
from omoide.domain.errors import NotFoundError, OmoideError

_log = logging.getLogger(__name__)


def refuse(
    error: OmoideError, request_id: str, headers: Sequence[tuple[str, str]] = ()
) -> LocalResponse:
    """Turn an error into its response.

    Args:
        error: What is wrong; an unexpected kind is told as an internal error.
        request_id: Id of the request.
        headers: Further header fields.
    """
    answer = answer_error(error, request_id=request_id)
    fields = [("content-type", "application/json"), *answer.headers.items(), *headers]
    return LocalResponse(answer.status, fields, answer.body.encode())


def refuse_route(allowed: Sequence[str], request_id: str) -> LocalResponse:
    """Answer a path that does not exist (404) or does not take the method (405).

    Args:
        allowed: Methods the path takes; empty when nothing lives there.
        request_id: Id of the request.
    """
    if not allowed:
        return refuse(NotFoundError("there is nothing at this path"), request_id)
    told = ", ".join(sorted({*allowed, *(["HEAD"] if "GET" in allowed else [])}))
    error = MethodNotAllowedError(f"this path takes {told}")
    return refuse(error, request_id, [("Allow", told)])


def refuse_failure(operation: str, error: Exception, request_id: str) -> LocalResponse:
    """Answer for something unforeseen (500), and log where it failed.

    Not the error's own words: they may quote a memory.

    Args:
        operation: What failed.
        error: What was raised.
        request_id: Id of the request.
    """
    where = "".join(traceback.format_tb(error.__traceback__))
    kind = type(error).__name__
    _log.error("%s failed: %s request_id=%s\n%s", operation, kind, request_id, where)
    return refuse(InternalError(), request_id)
