"""Asked by API Gateway whose key a request carries."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.authorizer import authorize


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer with the principal, as the policy and the context of an authorizer."""
    return authorize(event, composition.authenticate_key())
