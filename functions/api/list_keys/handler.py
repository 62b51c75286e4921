"""GET /v1/keys."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import keys
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/v1/keys")
def list_keys() -> Response[str]:
    """List the keys that the caller administers."""
    request = keys.read_list(app.call)
    return request.answer(composition.list_keys()(request.principal))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
