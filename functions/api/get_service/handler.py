"""GET /."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from omoide.api.operations import service
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/")
def get_service() -> Response[str]:
    """Say what this is."""
    return service.service_response()


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
