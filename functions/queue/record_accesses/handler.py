"""Given what searches returned."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.triggers.access_queue import record_messages


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Count the accesses; tell which messages have to come again."""
    return record_messages(event, composition.record_accesses())
