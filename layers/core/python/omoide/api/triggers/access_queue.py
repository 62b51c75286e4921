"""Batches of the queue of accesses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from omoide.api.logs import logger
from omoide.domain.errors import InvalidRequestError, UnavailableError
from omoide.ports.use_log import Accessed
from omoide.services.record_accesses import accessed_of


def record_messages(
    event: Mapping[str, Any], record_accesses: Callable[[Sequence[Accessed]], None]
) -> dict[str, Any]:
    """Count the accesses of each message; those that fail come again, then are set aside.

    Args:
        event: The batch.
        record_accesses: The service.
    """
    failures: list[dict[str, str]] = []
    for message in event["Records"]:
        try:
            record_accesses([accessed_of(message["body"])])
        except (InvalidRequestError, UnavailableError) as error:
            logger.warning("message %s has to come again: %s", message["messageId"], error)
            failures.append({"itemIdentifier": message["messageId"]})
    return {"batchItemFailures": failures}
