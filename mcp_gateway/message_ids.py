"""Ids of JSON-RPC requests: those that the protocol allows, and the answer to others.

MCP allows texts and whole numbers. The SDK takes a request under another id for a notification,
which nobody answers, so that the client would wait for ever.
"""

from typing import cast

import mcp_types as types

BAD_ID = "id: must be a string or a whole number"


def has_bad_id(message: object) -> bool:
    """Whether a parsed message is a request under an id that no answer could be given to."""
    if not isinstance(message, dict):
        return False
    fields = cast("dict[str, object]", message)
    if "method" not in fields or "id" not in fields:
        return False
    return request_id_of(fields) is None


def request_id_of(message: object) -> types.RequestId | None:
    """The id of a parsed message; None when it has none that is allowed."""
    if not isinstance(message, dict):
        return None
    found = cast("dict[str, object]", message).get("id")
    if isinstance(found, bool) or not isinstance(found, int | str):
        return None
    return found


def refused(code: int, message: str, request_id: types.RequestId | None) -> types.JSONRPCError:
    """The answer to what is no message of the protocol."""
    return types.JSONRPCError(
        jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=message)
    )
