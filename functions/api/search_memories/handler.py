"""POST /v1/memories/search."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import search_memories as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/memories/search")
def search_memories() -> Response[str]:
    """Find the memories that matter for a query."""
    request = operation.read(app.call)
    return request.answer(composition.search_memories()(request.principal, request.query))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
