"""POST /v1/keys."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import keys
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.post("/v1/keys")
def create_key() -> Response[str]:
    """Make an API key; its token is in this answer alone."""
    request = keys.read_create(app.call)
    return request.answer(composition.create_key()(request.principal, request.new))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
