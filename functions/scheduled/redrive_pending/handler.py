"""Called each minute."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    """Index what the stream has lost; tell how many writes that were."""
    return {"redriven": composition.redrive_pending()()}
