"""POST /v1/memories/batch."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import store_memories as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/memories/batch")
def store_memories() -> Response[str]:
    """Store up to 100 memories; a bad one fails alone."""
    request = operation.read(app.call)
    results = composition.store_memories()(
        request.principal, request.items, operation_id=request.operation_id
    )
    return request.answer(results)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
