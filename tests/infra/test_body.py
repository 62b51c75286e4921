"""Reading bodies up to a limit."""

import asyncio
from collections.abc import Sequence

import pytest

from infra.local.body import ClientGoneError, Message, read_body
from omoide.domain.errors import PayloadTooLargeError


def read(parts: Sequence[bytes | None], *, limit: int, declared: int | None = None) -> bytes:
    """Read a body that comes in parts; None stands for a closed connection."""
    waiting = list(parts)

    async def receive() -> Message:
        part = waiting.pop(0)
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": bool(waiting)}

    body = asyncio.run(read_body(receive, limit=limit, declared=declared))
    assert not waiting
    return body


def test_a_body_in_parts_is_put_together():
    assert read([b"ab", b"", b"c"], limit=3) == b"abc"


def test_a_body_over_the_limit_is_read_to_its_end_and_refused():
    with pytest.raises(PayloadTooLargeError) as caught:
        read([b"ab", b"cd", b"ef"], limit=3)

    assert caught.value.details[0].field == "body"


def test_a_declared_length_over_the_limit_is_refused():
    with pytest.raises(PayloadTooLargeError):
        read([b""], limit=3, declared=4)


def test_a_client_that_goes_away_is_told_apart():
    with pytest.raises(ClientGoneError):
        read([b"ab", None], limit=10)
