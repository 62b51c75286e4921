"""Reading a request's body without letting it grow past its limit."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import cast

from omoide.domain.errors import FieldProblem, PayloadTooLargeError

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]

DRAIN_LIMIT = 64 << 20
"""Bytes read and thrown away so that the sender gets to see the refusal."""


class ClientGoneError(Exception):
    """The client closed the connection before its body was complete."""


async def read_body(receive: Receive, *, limit: int, declared: int | None) -> bytes:
    """Return the body.

    Args:
        receive: ASGI receive.
        limit: Bytes it may have.
        declared: Its Content-Length.

    Raises:
        PayloadTooLargeError: It is longer; what follows was read and thrown away, within reason.
        ClientGoneError: The connection closed.
    """
    parts: list[bytes] = []
    size = 0
    is_over = declared is not None and declared > limit
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        part = cast("bytes", message.get("body", b""))
        size += len(part)
        is_over = is_over or size > limit
        if is_over:
            parts.clear()
        else:
            parts.append(part)
        if not message.get("more_body", False) or size > DRAIN_LIMIT:
            break
    if is_over:
        problem = f"is larger than {limit >> 20} MiB"
        details = [FieldProblem(field="body", problem=problem)]
        raise PayloadTooLargeError(f"body: {problem}", details=details)
    return parts[0] if len(parts) == 1 else b"".join(parts)
