"""JSON-RPC messages as lines of bytes: what a client sends on stdin, and what it is told.

The SDK's own stdio transport drops what it cannot parse, so a client would wait for ever; here
every such line is answered with a JSON-RPC error, under the id of the request where one can be
read. Bytes that are not UTF-8 are refused rather than stored as replacement characters.
"""

import json
import os
from collections.abc import Iterator

import mcp_types as types
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic import ValidationError
from pydantic_core import from_json

from mcp_gateway.message_ids import BAD_ID, has_bad_id, refused, request_id_of

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""Longest message read, in bytes; as long as a body the HTTP transport takes."""

_CHUNK_BYTES = 65_536


class MessageTooLongError(Exception):
    """A line passed `MAX_MESSAGE_BYTES`; it was skipped to its end."""


class RefusedMessageError(Exception):
    """A line that is no message of the protocol.

    Attributes:
        answer: What the client is told.
    """

    def __init__(self, code: int, message: str, request_id: types.RequestId | None) -> None:
        super().__init__(message)
        self.answer = refused(code, message, request_id)


def read_lines(descriptor: int) -> Iterator[bytes | MessageTooLongError]:
    """Yield the lines of a file descriptor without their ends, until it is closed.

    Reads straight from the descriptor, so that a thread blocked in it holds no lock which the
    interpreter wants at exit. A line over the limit is never held in memory.
    """
    held = bytearray()
    is_skipping = False
    while chunk := os.read(descriptor, _CHUNK_BYTES):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            line = bytes(held) + part
            held.clear()
            if is_skipping or len(line) > MAX_MESSAGE_BYTES:
                yield MessageTooLongError()
            else:
                yield line
            is_skipping = False
        held += rest
        if len(held) > MAX_MESSAGE_BYTES:
            held.clear()
            is_skipping = True
    if held:
        yield bytes(held)


def parse_message(line: bytes | MessageTooLongError) -> types.JSONRPCMessage:
    """Return the message of a line.

    Args:
        line: One line, or the notice that it was too long.

    Raises:
        RefusedMessageError: It is none; says what to answer.
    """
    if isinstance(line, MessageTooLongError):
        raise RefusedMessageError(
            types.INVALID_REQUEST, f"Message over {MAX_MESSAGE_BYTES} bytes", None
        )
    try:
        raw: object = from_json(line, allow_inf_nan=False)
    except ValueError:
        raise RefusedMessageError(
            types.PARSE_ERROR, "Message is not JSON in valid UTF-8", _salvage_id(line)
        ) from None
    if has_bad_id(raw):
        raise RefusedMessageError(types.INVALID_REQUEST, BAD_ID, None)
    try:
        return jsonrpc_message_adapter.validate_python(raw, by_name=False)
    except ValidationError:
        raise RefusedMessageError(
            types.INVALID_REQUEST, "Not a JSON-RPC 2.0 message", request_id_of(raw)
        ) from None


def _salvage_id(line: bytes) -> types.RequestId | None:
    try:
        return request_id_of(json.loads(line.decode("utf-8", errors="replace")))
    except (ValueError, RecursionError):
        return None
