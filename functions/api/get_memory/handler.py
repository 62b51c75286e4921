"""GET /v1/memories/{memory_id}."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import get_memory as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/v1/memories/<memory_id>")
def get_memory(memory_id: str) -> Response[str]:
    """Read one memory."""
    request = operation.read(app.call, memory_id)
    return request.answer(composition.get_memory()(request.principal, request.memory_id))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
