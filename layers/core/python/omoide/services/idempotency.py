"""The same call twice has one effect and one answer, for 24 hours."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

from omoide.domain.errors import IdempotencyMismatchError
from omoide.domain.limits import as_utc
from omoide.ports.memory_records import Operation, WriteLookups

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotentCall:
    """One call under an operation id of the caller's.

    Attributes:
        principal: Key id of the caller.
        name: Name of the operation.
        key: The caller's operation id.
        request_hash: See `hash_request`.
    """

    principal: str
    name: str
    key: str
    request_hash: str

    def done(self, memory_id: str, outcome: str, now: datetime) -> Operation:
        """What is recorded of the call: no text."""
        return Operation(
            principal=self.principal,
            name=self.name,
            key=self.key,
            request_hash=self.request_hash,
            memory_id=memory_id,
            outcome=outcome,
            expires_at=now + KEPT_FOR,
        )


def hash_request(command: "DataclassInstance", **more: object) -> str:
    """SHA-256 of a request, equal for equal requests whatever their spelling in JSON.

    Args:
        command: The request as a command of a service.
        more: What else the request says.
    """
    said = {f.name: getattr(command, f.name) for f in fields(command)}
    text = json.dumps([said, more], sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def find_earlier(
    lookups: WriteLookups, call: IdempotentCall | None, now: datetime
) -> Operation | None:
    """The recorded outcome of an earlier call under the same operation id.

    Raises:
        IdempotencyMismatchError: That call was another request.
    """
    if call is None:
        return None
    earlier = lookups.find_operation(call.principal, call.name, call.key)
    if earlier is None or earlier.expires_at <= now:
        return None
    if earlier.request_hash != call.request_hash:
        raise IdempotencyMismatchError
    return earlier


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return as_utc(value, field="time").isoformat()
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, object], value))
    return str(value)
