"""GET /health."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import service
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/health")
def get_health() -> Response[str]:
    """Say that it is alive, and whether it can remember."""
    return service.health_response(composition.check_health()())


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
