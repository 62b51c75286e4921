"""POST /v1/memories/surface."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import surface_memories as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/memories/surface")
def surface_memories() -> Response[str]:
    """Surface what a moment of a conversation calls for."""
    request = operation.read(app.call)
    return request.answer(composition.surface_memories()(request.principal, request.query))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
