"""The one error shape, for what is refused before a handler runs."""

import json
from collections.abc import Sequence

from infra.local.proxy_event import LocalResponse


def error_response(
    status: int,
    code: str,
    message: str,
    *,
    request_id: str,
    headers: Sequence[tuple[str, str]] = (),
    details: Sequence[tuple[str, str]] = (),
) -> LocalResponse:
    """Build an error answer.

    Args:
        status: HTTP status.
        code: Stable code of API.md.
        message: For people; names what to change.
        request_id: Id of the request.
        headers: Further header fields, such as ``Allow``.
        details: Pairs of field and problem.
    """
    error = {
        "code": code,
        "message": message,
        "details": [{"field": field, "problem": problem} for field, problem in details],
        "request_id": request_id,
    }
    body = json.dumps({"error": error}, ensure_ascii=False).encode()
    return LocalResponse(status, [("content-type", "application/json"), *headers], body)
