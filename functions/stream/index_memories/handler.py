"""Given the changes of the table."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.triggers.table_stream import index_changes


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Index the memories that changed; tell from where on the batch has to come again."""
    return index_changes(event, composition.index_memories())
