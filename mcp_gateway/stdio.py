"""MCP over stdin and stdout: one client, one process.

Standard output carries protocol and nothing else: while serving, file descriptor 1 points at
stderr, so a stray print of a library cannot break a message, and descriptor 0 at the null
device. When the client closes stdin, calls in flight are answered first.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from mcp_gateway.api_client import ApiClient, ClientFactory
from mcp_gateway.selection import DEFAULT_TOOLSETS
from mcp_gateway.server import build_server
from mcp_gateway.stdio_messages import (
    MessageTooLongError,
    RefusedMessageError,
    parse_message,
    read_lines,
)

DRAIN_S = 10.0
"""Longest wait, after stdin was closed, for calls in flight to be answered."""

_MAX_UNHANDLED_LINES = 64

_Line = bytes | MessageTooLongError | None


def run_stdio(
    client_factory: ClientFactory,
    *,
    toolsets: Sequence[str] = DEFAULT_TOOLSETS,
    key: str | None = None,
) -> None:
    """Serve one client over stdin and stdout until it closes stdin.

    Args:
        client_factory: Opens the httpx client of the API, for instance over an in-process
            transport; called in a worker thread when the first tool is called, never before.
        toolsets: Names of the toolsets to offer.
        key: Key to call the API with, when it asks for one.
    """
    client = ApiClient(client_factory, default_key=key)
    with _claimed_descriptors() as (wire_in, wire_out):
        try:
            asyncio.run(_serve(client, toolsets, wire_in, wire_out))
        except KeyboardInterrupt:
            return


async def _serve(client: ApiClient, toolsets: Sequence[str], wire_in: int, wire_out: int) -> None:
    server = build_server(client, toolsets=toolsets)
    try:
        await serve_descriptors(server, wire_in, wire_out)
    finally:
        await client.aclose()


async def serve_descriptors(
    server: Server[dict[str, Any]], wire_in: int, wire_out: int, *, drain_s: float = DRAIN_S
) -> None:
    """Serve one client over two file descriptors until it closes the first.

    Args:
        server: The MCP server.
        wire_in: Descriptor the client's messages are read from.
        wire_out: Descriptor the answers are written to.
        drain_s: Longest wait for calls in flight once the client closed its side.
    """
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    calls = _CallsInFlight()
    async with anyio.create_task_group() as group:
        group.start_soon(_read, wire_in, to_server, to_client.clone(), calls, drain_s)
        group.start_soon(_write, wire_out, from_server, calls, group.cancel_scope)
        await server.run(from_client, to_client, server.create_initialization_options())


async def _read(
    wire_in: int,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    to_client: MemoryObjectSendStream[SessionMessage],
    calls: "_CallsInFlight",
    drain_s: float,
) -> None:
    lines = _LineReader(wire_in)
    async with to_server, to_client:
        while (line := await lines.get()) is not None:
            if line == b"":
                continue
            try:
                message = parse_message(line)
            except RefusedMessageError as refused:
                await to_client.send(SessionMessage(refused.answer))
                continue
            calls.note_incoming(message)
            await to_server.send(SessionMessage(message))
        with anyio.move_on_after(drain_s):
            await calls.all_answered.wait()


async def _write(
    wire_out: int,
    from_server: MemoryObjectReceiveStream[SessionMessage],
    calls: "_CallsInFlight",
    scope: anyio.CancelScope,
) -> None:
    async with from_server:
        async for outgoing in from_server:
            text = outgoing.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await anyio.to_thread.run_sync(_write_all, wire_out, text.encode() + b"\n")
            except OSError:
                scope.cancel()
                return
            calls.note_outgoing(outgoing.message)


def _write_all(descriptor: int, message: bytes) -> None:
    rest = memoryview(message)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class _LineReader:
    """The lines of a descriptor, read by a thread that never keeps the process from ending."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[_Line] = asyncio.Queue()
        self._room = threading.Semaphore(_MAX_UNHANDLED_LINES)
        threading.Thread(target=self._pump, name="stdin", daemon=True).start()

    async def get(self) -> _Line:
        """Return the next line without surrounding blanks, None at the end."""
        line = await self._lines.get()
        self._room.release()
        return line.strip() if isinstance(line, bytes) else line

    def _pump(self) -> None:
        with suppress(OSError):
            for line in read_lines(self._descriptor):
                self._put(line)
        self._put(None)

    def _put(self, line: _Line) -> None:
        self._room.acquire()
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


class _CallsInFlight:
    """The requests that still need an answer."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self.all_answered = anyio.Event()
        self.all_answered.set()

    def note_incoming(self, message: types.JSONRPCMessage) -> None:
        """Note a message of the client; a cancelled request gets no answer."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
            if self.all_answered.is_set():
                self.all_answered = anyio.Event()
        elif (
            isinstance(message, types.JSONRPCNotification)
            and message.method == "notifications/cancelled"
            and message.params is not None
        ):
            self._settle(message.params.get("requestId"))

    def note_outgoing(self, message: types.JSONRPCMessage) -> None:
        """Note a message to the client."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._settle(message.id)

    def _settle(self, request_id: object) -> None:
        if isinstance(request_id, int | str):
            self._ids.discard(request_id)
        if not self._ids:
            self.all_answered.set()


@contextmanager
def _claimed_descriptors() -> Generator[tuple[int, int]]:
    """Take stdin and stdout for the protocol; everybody else reads nothing and writes to stderr."""
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield wire_in, wire_out
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os.dup2(wire_in, 0)
        os.dup2(wire_out, 1)
