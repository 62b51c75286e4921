"""GET /v1/memories/count."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import count_memories as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/v1/memories/count")
def count_memories() -> Response[str]:
    """Count the memories of a namespace."""
    request = operation.read(app.call)
    return request.answer(composition.count_memories()(request.principal, request.namespace))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
