"""GET /v1/memories."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import list_memories as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/v1/memories")
def list_memories() -> Response[str]:
    """List memories, newest first, page by page."""
    request = operation.read(app.call)
    listing = composition.list_memories()(
        request.principal,
        request.namespace,
        request.where,
        limit=request.limit,
        cursor=request.cursor,
    )
    return request.answer(listing)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
