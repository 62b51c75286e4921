"""What API Gateway answers by itself, in the error shape of the API."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]

_RETRY_LATER: Final = {"Retry-After": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayAnswer:
    """An answer the functions are not asked for.

    Attributes:
        status: HTTP status.
        code: Code of the error, as the functions use it.
        message: For the caller.
        headers: Further header fields.
    """

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


_NO_PATH = GatewayAnswer(status=404, code="NOT_FOUND", message="There is nothing at this path.")
_BUSY = GatewayAnswer(
    status=503,
    code="UNAVAILABLE",
    message="A part is down or busy; try again.",
    headers=_RETRY_LATER,
)

GATEWAY_ANSWERS: Mapping[str, GatewayAnswer] = {
    "UNAUTHORIZED": GatewayAnswer(
        status=401,
        code="UNAUTHENTICATED",
        message="a valid key is needed: Authorization: Bearer omo_...",
        headers={"WWW-Authenticate": "Bearer"},
    ),
    "ACCESS_DENIED": GatewayAnswer(
        status=403, code="FORBIDDEN", message="The key does not allow this."
    ),
    "MISSING_AUTHENTICATION_TOKEN": _NO_PATH,
    "RESOURCE_NOT_FOUND": _NO_PATH,
    "REQUEST_TOO_LARGE": GatewayAnswer(
        status=413, code="PAYLOAD_TOO_LARGE", message="body: is larger than 10 MiB"
    ),
    "UNSUPPORTED_MEDIA_TYPE": GatewayAnswer(
        status=415,
        code="UNSUPPORTED_MEDIA_TYPE",
        message="Content-Type: must be application/json",
    ),
    "THROTTLED": GatewayAnswer(
        status=429,
        code="RATE_LIMITED",
        message="Too many requests from all callers together; try again.",
        headers=_RETRY_LATER,
    ),
    "AUTHORIZER_FAILURE": _BUSY,
    "AUTHORIZER_CONFIGURATION_ERROR": _BUSY,
    "INTEGRATION_FAILURE": _BUSY,
    "INTEGRATION_TIMEOUT": GatewayAnswer(
        status=504,
        code="UNAVAILABLE",
        message="The answer took too long; try again.",
        headers=_RETRY_LATER,
    ),
    "DEFAULT_4XX": GatewayAnswer(
        status=400, code="MALFORMED_BODY", message="The request cannot be read."
    ),
    "DEFAULT_5XX": GatewayAnswer(
        status=500, code="INTERNAL", message="Something went wrong on our side."
    ),
}
"""By API Gateway's name of the reason; the defaults hold for the reasons without a row."""


def gateway_responses() -> Json:
    """Return ``x-amazon-apigateway-gateway-responses``.

    The defaults keep the status that API Gateway gives to their reason.
    """
    return {reason: _response(reason, answer) for reason, answer in GATEWAY_ANSWERS.items()}


def _response(reason: str, answer: GatewayAnswer) -> Json:
    error: Json = {
        "code": answer.code,
        "message": answer.message,
        "details": [],
        "request_id": "$context.requestId",
    }
    response: Json = {"responseTemplates": {"application/json": json.dumps({"error": error})}}
    if not reason.startswith("DEFAULT_"):
        response["statusCode"] = str(answer.status)
    headers = {"X-Request-Id": "context.requestId"}
    headers |= {name: f"'{value}'" for name, value in answer.headers.items()}
    response["responseParameters"] = {
        f"gatewayresponse.header.{name}": value for name, value in headers.items()
    }
    return response
