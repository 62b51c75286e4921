"""Batches of a table's stream."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from omoide.api.logs import logger
from omoide.domain.errors import UnavailableError
from omoide.ports.pending_writes import MemoryRef

_NAMESPACE = "NS#"
_OF_MEMORIES = ("PEND#", "MEM#")
_GONE = "REMOVE"


def changed_memories(event: Mapping[str, Any]) -> list[MemoryRef]:
    """The memories whose items were written, in the order of the stream.

    What the items hold is not looked at: by now it may be out of date.
    """
    found: list[MemoryRef] = []
    for record in _records(event):
        keys = record["dynamodb"]["Keys"]
        partition, _, namespace = str(keys["pk"]["S"]).partition("#")
        kind, _, memory_id = str(keys["sk"]["S"]).partition("#")
        is_memory = f"{partition}#" == _NAMESPACE and f"{kind}#" in _OF_MEMORIES
        if is_memory and record.get("eventName") != _GONE:
            found.append(MemoryRef(namespace=namespace, memory_id=memory_id))
    return found


def index_changes(
    event: Mapping[str, Any], index_memories: Callable[[Iterable[MemoryRef]], None]
) -> dict[str, Any]:
    """Index what changed; a batch that cannot be indexed now is asked for again.

    Args:
        event: The batch.
        index_memories: The service.
    """
    records = _records(event)
    try:
        index_memories(changed_memories(event))
    except UnavailableError as error:
        logger.warning("a batch of %d changes has to come again: %s", len(records), error)
        first = records[0]["dynamodb"]["SequenceNumber"]
        return {"batchItemFailures": [{"itemIdentifier": first}]}
    return {"batchItemFailures": []}


def _records(event: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    records: Sequence[Mapping[str, Any]] = event["Records"]
    return records
