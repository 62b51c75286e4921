"""DELETE /v1/memories/{memory_id}."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import delete_memory as operation
from omoide.api.resolver import ApiResolver
from omoide.api.responses import empty_response

app = ApiResolver()


@app.delete("/v1/memories/<memory_id>")
def delete_memory(memory_id: str) -> Response[str]:
    """Delete one memory."""
    request = operation.read(app.call, memory_id)
    composition.delete_memory()(
        request.principal,
        request.memory_id,
        agent_id=request.agent_id,
        cascade=request.cascade,
    )
    return empty_response()


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
