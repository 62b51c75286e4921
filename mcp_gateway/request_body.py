"""Reading the body of an HTTP request whole, before anything is decided on it."""

from starlette.types import Message, Receive


class BodyTooLargeError(Exception):
    """The body passed the limit."""


class DisconnectedError(Exception):
    """The client left before its body was complete."""


async def read_body(receive: Receive, limit: int) -> bytes:
    """Return the body of a request.

    Args:
        receive: Where its parts come from.
        limit: Longest body read, in bytes.

    Raises:
        BodyTooLargeError: It is longer.
        DisconnectedError: It never ended.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise DisconnectedError
        body += message.get("body", b"")
        if len(body) > limit:
            raise BodyTooLargeError
        if not message.get("more_body", False):
            return bytes(body)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that yields a body which was read already, then what comes after it."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return whole.pop() if whole else await receive()

    return replay
