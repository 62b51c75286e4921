"""Opaque cursors of lists: signed, and bound to namespace and filter."""

import base64
import binascii
import hashlib
import hmac
import json
import struct
import uuid
from dataclasses import fields
from datetime import UTC, datetime, timedelta

from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory_filter import MemoryFilter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_POSITION = struct.Struct(">q16s")
_SIGNATURE_BYTES = 16
_MAX_CHARACTERS = 128


def encode_cursor(
    created_at: datetime, memory_id: str, *, namespace: str, where: MemoryFilter, secret: bytes
) -> str:
    """A cursor that continues after a memory.

    Args:
        created_at: Of the last memory of the page; milliseconds count.
        memory_id: Its id.
        namespace: Where the list is.
        where: Its filter; the instant ``now`` does not bind.
        secret: Signing secret of the installation.
    """
    milliseconds = (created_at - _EPOCH) // timedelta(milliseconds=1)
    position = _POSITION.pack(milliseconds, uuid.UUID(memory_id).bytes)
    signature = _sign(position, namespace, where, secret)
    return base64.urlsafe_b64encode(position + signature).decode().rstrip("=")


def decode_cursor(
    cursor: str, *, namespace: str, where: MemoryFilter, secret: bytes
) -> tuple[datetime, str]:
    """The ``created_at`` and id after which the next page begins.

    Raises:
        InvalidRequestError: The cursor was not made here, or for another namespace or filter;
            names ``cursor``.
    """
    wrong = InvalidRequestError.of("cursor", "does not belong to this list")
    if len(cursor) > _MAX_CHARACTERS or not cursor.isascii():
        raise wrong
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise wrong from None
    if len(raw) != _POSITION.size + _SIGNATURE_BYTES:
        raise wrong
    position, signature = raw[: _POSITION.size], raw[_POSITION.size :]
    if not hmac.compare_digest(signature, _sign(position, namespace, where, secret)):
        raise wrong
    milliseconds, id_bytes = _POSITION.unpack(position)
    return _EPOCH + timedelta(milliseconds=milliseconds), str(uuid.UUID(bytes=id_bytes))


def _sign(position: bytes, namespace: str, where: MemoryFilter, secret: bytes) -> bytes:
    conditions = {f.name: getattr(where, f.name) for f in fields(where) if f.name != "now"}
    bound = json.dumps(["cursor", namespace, conditions], sort_keys=True, default=_plain)
    message = position + bound.encode()
    return hmac.new(secret, message, hashlib.sha256).digest()[:_SIGNATURE_BYTES]


def _plain(value: object) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)
