"""POST /v1/memories/retrieve."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import retrieve_context as operation
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/memories/retrieve")
def retrieve_context() -> Response[str]:
    """Retrieve what matters for a query as a text."""
    request = operation.read(app.call)
    return request.answer(composition.retrieve_context()(request.principal, request.query))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
