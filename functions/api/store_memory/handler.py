"""POST /v1/memories."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import store_memory as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/memories")
def store_memory() -> Response[str]:
    """Store one memory."""
    request = operation.read(app.call)
    stored = composition.store_memory()(
        request.principal, request.new, operation_id=request.operation_id
    )
    return request.answer(stored)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
