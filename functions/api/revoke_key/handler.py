"""DELETE /v1/keys/{key_id}."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import composition
from omoide.api.operations import keys
from omoide.api.resolver import ApiResolver

app = ApiResolver()


@app.delete("/v1/keys/<key_id>")
def revoke_key(key_id: str) -> Response[str]:
    """Revoke an API key."""
    request = keys.read_revoke(app.call, key_id)
    return request.answer(composition.revoke_key()(request.principal, request.key_id))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return app.resolve(event, context)
