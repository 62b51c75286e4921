"""The events and answers of a TOKEN authorizer of API Gateway."""

from collections.abc import Callable, Mapping
from typing import Any

from omoide.api.principals import to_authorizer
from omoide.domain.errors import UnauthenticatedError
from omoide.domain.principal import Principal

_SCHEME = "bearer"


class RefusedError(Exception):
    """Nobody may pass; API Gateway answers 401 to this very message."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


def authorize(
    event: Mapping[str, Any], authenticate: Callable[[str | None], Principal]
) -> dict[str, Any]:
    """Say whose key a request carries.

    The policy covers the whole stage, since its answer is kept for other operations of the same
    key; what a key allows, each operation checks itself.

    Args:
        event: ``authorizationToken`` is the Authorization header, ``methodArn`` the operation.
        authenticate: Turns a key into its principal.

    Raises:
        RefusedError: No key, or none that is known.
        UnavailableError: The keys cannot be read.
    """
    scheme, _, token = str(event.get("authorizationToken") or "").partition(" ")
    try:
        principal = authenticate(token.strip() if scheme.lower() == _SCHEME else None)
    except UnauthenticatedError:
        raise RefusedError from None
    api_id, stage = str(event["methodArn"]).split("/")[:2]
    statement = {
        "Action": "execute-api:Invoke",
        "Effect": "Allow",
        "Resource": f"{api_id}/{stage}/*",
    }
    return {
        "principalId": principal.key_id,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": to_authorizer(principal),
    }
