"""PATCH and PUT /v1/memories/{memory_id}."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import update_memory as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.route("/v1/memories/<memory_id>", method=["PATCH", "PUT"])
def update_memory(memory_id: str) -> Response[str]:
    """Change fields of one memory."""
    request = operation.read(app.call, memory_id)
    view = composition.update_memory()(
        request.principal,
        request.memory_id,
        request.patch,
        expected_version=request.expected_version,
        operation_id=request.operation_id,
    )
    return request.answer(view)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
