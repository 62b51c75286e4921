"""Idempotent calls as items and back."""

from datetime import datetime, timedelta

from pynamodb.expressions.condition import Condition

from omoide.adapters.dynamodb.item_keys import operation_key
from omoide.adapters.dynamodb.items import OperationItem
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.ports.memory_records import Operation

_KEPT_AFTER = timedelta(days=1)
"""How long an expired operation can still be looked at."""


def write_operation(operation: Operation) -> Raw:
    """The item of an operation."""
    key = operation_key(operation.principal, operation.name, operation.key)
    item = OperationItem(
        pk=key.pk,
        sk=key.sk,
        principal=operation.principal,
        name=operation.name,
        key=operation.key,
        request_hash=operation.request_hash,
        memory_id=operation.memory_id,
        outcome=operation.outcome,
        expires_at=operation.expires_at,
        ttl=int((operation.expires_at + _KEPT_AFTER).timestamp()),
    )
    return item.serialize()


def read_operation(raw: Raw) -> Operation:
    """The operation of an item; DynamoDB may keep it long after it expired."""
    require_readable(raw)
    item = OperationItem.from_raw_data(raw)
    return Operation(
        principal=item.principal,
        name=item.name,
        key=item.key,
        request_hash=item.request_hash,
        memory_id=item.memory_id,
        outcome=item.outcome,
        expires_at=item.expires_at,
    )


def is_free(now: datetime) -> Condition:
    """That the operation is not recorded, or expired by now."""
    return OperationItem.pk.does_not_exist() | (OperationItem.expires_at <= now)
