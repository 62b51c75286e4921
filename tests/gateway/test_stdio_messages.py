"""Lines of bytes to messages, and the end of a connection over pipes of this process."""

import asyncio
import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_gateway.api_client import ApiClient
from mcp_gateway.server import build_server
from mcp_gateway.stdio import serve_descriptors
from mcp_gateway.stdio_messages import (
    MAX_MESSAGE_BYTES,
    MessageTooLongError,
    RefusedMessageError,
    parse_message,
    read_lines,
)
from tests.gateway.fake_api import BASE_URL
from tests.gateway.processes import INITIALIZE, INITIALIZED, call_message, encoded


@contextmanager
def pipe_with(*chunks: bytes) -> Generator[int]:
    """A descriptor that yields some bytes, written chunk by chunk, and then ends."""
    readable, writable = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(writable, chunk) if chunk else None
        os.close(writable)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield readable
    finally:
        writer.join()
        os.close(readable)


@given(st.lists(st.binary(max_size=20), max_size=8), st.integers(1, 7))
def test_lines_are_the_same_however_the_bytes_arrive(lines: list[bytes], size: int) -> None:
    wanted = [line.replace(b"\n", b" ") for line in lines]
    sent = b"".join(line + b"\n" for line in wanted)
    chunks = [sent[start : start + size] for start in range(0, len(sent), size)]

    with pipe_with(*chunks) as descriptor:
        assert list(read_lines(descriptor)) == wanted


def test_a_last_line_without_an_end_is_a_line() -> None:
    with pipe_with(b"one\ntwo") as descriptor:
        assert list(read_lines(descriptor)) == [b"one", b"two"]


def test_a_line_of_the_limit_passes_and_one_more_byte_is_skipped_to_its_end() -> None:
    longest = b"x" * MAX_MESSAGE_BYTES

    with pipe_with(longest, b"\n", longest, b"x\nnext\n") as descriptor:
        first, second, third = read_lines(descriptor)

    assert first == longest
    assert isinstance(second, MessageTooLongError)
    assert third == b"next"


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"x", -32700, None),
        (b'{"id": true, "method": 1}', -32600, None),
        (b'{"id": 1.5, "method": "x"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "tools/list"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": true, "method": "tools/list"}', -32600, None),
        (b'{"id": "a", "method": 7, "jsonrpc": "2.0"}', -32600, "a"),
        (b'{"id": 3, "method": "\xff", "jsonrpc": "2.0"}', -32700, 3),
        (b"[" * 200_000, -32700, None),
    ],
)
def test_what_is_no_message_is_answered_under_its_id(
    line: bytes, code: int, request_id: int | str | None
) -> None:
    with pytest.raises(RefusedMessageError) as caught:
        parse_message(line)

    assert caught.value.answer.error.code == code
    assert caught.value.answer.id == request_id


def test_a_call_that_never_ends_does_not_keep_the_process() -> None:
    asked = asyncio.Event()

    class Silent(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

    def connect() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=Silent(), base_url=BASE_URL)

    async def talk() -> list[bytes]:
        wire_in, say = os.pipe()
        hear, wire_out = os.pipe()
        server = build_server(ApiClient(connect))
        serving = asyncio.create_task(serve_descriptors(server, wire_in, wire_out, drain_s=0))
        os.write(say, encoded(INITIALIZE, INITIALIZED, call_message(3, "count_memories")))
        await asked.wait()
        os.close(say)
        await serving
        os.close(wire_out)
        lines = [line for line in read_lines(hear) if isinstance(line, bytes)]
        os.close(hear)
        os.close(wire_in)
        return lines

    first, second = (json.loads(line) for line in asyncio.run(talk()))

    assert first["result"]["serverInfo"]["name"] == "omoide"
    assert second["id"] == 3
    assert second["error"]["message"] == "Connection closed"
