"""GET /health/ready."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import service
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.get("/health/ready")
def get_readiness() -> Response[str]:
    """Say whether every part works, and which does not."""
    return service.readiness_response(composition.check_readiness()())


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
