"""The OpenAPI document as API Gateway takes it: routes, who may call them, what answers.

Schemas, examples and descriptions stay out: the functions validate, and API Gateway reads neither
OpenAPI 3.1 nor unions of models.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from functions.manifest import ApiFunction, Function
from infra.aws.gateway_responses import gateway_responses

Json = dict[str, Any]

OPENAPI_FILE = Path(__file__).parents[2] / "functions" / "openapi.json"
AUTHORIZER_TTL_S = 60

_SCHEME = "key"


def committed_document() -> Json:
    """Return ``functions/openapi.json``."""
    return json.loads(OPENAPI_FILE.read_text(encoding="utf-8"))


def api_document(
    document: Mapping[str, Any],
    functions: Iterable[ApiFunction],
    authorizer: Function,
    uri_of: Callable[[Function], str],
) -> Json:
    """Return what is imported into API Gateway.

    Args:
        document: The contract of the API.
        functions: What answers.
        authorizer: What says whose key a request carries.
        uri_of: The address at which API Gateway invokes a function.

    Raises:
        ValueError: An operation has no function, or a function no operation.
    """
    by_route = {(r.method.lower(), r.path): one for one in functions for r in one.routes}
    operations = {
        (method, path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    unlike = sorted(by_route.keys() ^ operations.keys())
    if unlike:
        raise ValueError(f"in one of the manifest and openapi.json only: {unlike}")
    paths: Json = {}
    for (method, path), operation in operations.items():
        function = by_route[method, path]
        paths.setdefault(path, {})[method] = _operation(operation, function, uri_of(function))
    return {
        "openapi": "3.0.1",
        "info": {key: document["info"][key] for key in ("title", "version")},
        "paths": paths,
        "components": {"securitySchemes": {_SCHEME: _scheme(uri_of(authorizer))}},
        "x-amazon-apigateway-gateway-responses": gateway_responses(),
    }


def _operation(operation: Mapping[str, Any], function: ApiFunction, uri: str) -> Json:
    kept: Json = {
        "operationId": operation["operationId"],
        "parameters": [
            {"name": one["name"], "in": "path", "required": True, "schema": {"type": "string"}}
            for one in operation.get("parameters", [])
            if one["in"] == "path"
        ],
        "responses": {"default": {"description": "See the documentation of the API."}},
        "x-amazon-apigateway-integration": {
            "type": "aws_proxy",
            "httpMethod": "POST",
            "uri": uri,
            "passthroughBehavior": "when_no_match",
        },
    }
    if not function.is_public:
        kept["security"] = [{_SCHEME: []}]
    return kept


def _scheme(uri: str) -> Json:
    return {
        "type": "apiKey",
        "name": "Authorization",
        "in": "header",
        "x-amazon-apigateway-authtype": "custom",
        "x-amazon-apigateway-authorizer": {
            "type": "token",
            "identitySource": "method.request.header.Authorization",
            "authorizerUri": uri,
            "authorizerResultTtlInSeconds": AUTHORIZER_TTL_S,
        },
    }
