"""What API Gateway is told, and what it answers by itself."""

import json
import re
from typing import Any

import pytest

from functions.manifest import API_FUNCTIONS, AUTHORIZER, Function
from infra.aws.api_document import api_document, committed_document
from infra.aws.gateway_responses import GATEWAY_ANSWERS, gateway_responses
from omoide.api.errors import STATUS
from omoide.api.native.memory_model import ErrorAnswer


def uri_of(function: Function) -> str:
    return f"uri:{function.handler}"


def imported() -> dict[str, Any]:
    return api_document(committed_document(), API_FUNCTIONS, AUTHORIZER, uri_of)


def test_every_route_leads_to_its_function_and_asks_the_authorizer_unless_public() -> None:
    document = imported()

    for function in API_FUNCTIONS:
        for route in function.routes:
            operation = document["paths"][route.path][route.method.lower()]
            integration = operation["x-amazon-apigateway-integration"]
            assert integration["uri"] == uri_of(function)
            assert (integration["type"], integration["httpMethod"]) == ("aws_proxy", "POST")
            assert ("security" not in operation) == function.is_public
            named = [one["name"] for one in operation["parameters"]]
            assert named == re.findall(r"\{(\w+)\}", route.path)


def test_the_authorizer_is_asked_with_the_authorization_header_at_most_once_a_minute() -> None:
    scheme = imported()["components"]["securitySchemes"]["key"]
    authorizer = scheme["x-amazon-apigateway-authorizer"]

    assert (scheme["name"], scheme["in"]) == ("Authorization", "header")
    assert authorizer["type"] == "token"
    assert authorizer["authorizerUri"] == uri_of(AUTHORIZER)
    assert authorizer["identitySource"] == "method.request.header.Authorization"
    assert authorizer["authorizerResultTtlInSeconds"] == 60


def test_an_operation_without_a_function_is_refused() -> None:
    with pytest.raises(ValueError, match="/v1/memories"):
        api_document(committed_document(), API_FUNCTIONS[1:], AUTHORIZER, uri_of)


def test_the_gateway_answers_in_the_error_shape_of_the_api() -> None:
    for reason, response in gateway_responses().items():
        body = response["responseTemplates"]["application/json"]
        error = ErrorAnswer.model_validate_json(body).error

        assert error.code == GATEWAY_ANSWERS[reason].code
        assert error.request_id == "$context.requestId"
        assert body == json.dumps(json.loads(body))


def test_the_gateway_uses_the_codes_of_the_functions_with_their_statuses() -> None:
    known = {(kind.code, status) for kind, status in STATUS.items()}

    for reason, answer in GATEWAY_ANSWERS.items():
        is_late = reason == "INTEGRATION_TIMEOUT"
        assert (answer.code, 503 if is_late else answer.status) in known


@pytest.mark.parametrize("status", ["401", "403", "404", "413", "415", "429", "503", "504"])
def test_each_refusal_of_the_gateway_has_an_answer(status: str) -> None:
    assert status in {response.get("statusCode") for response in gateway_responses().values()}


def test_callers_are_told_when_to_come_back_and_which_key_is_needed() -> None:
    responses = gateway_responses()
    header = "gatewayresponse.header.{}".format

    assert responses["THROTTLED"]["responseParameters"][header("Retry-After")] == "'1'"
    assert responses["UNAUTHORIZED"]["responseParameters"][header("WWW-Authenticate")] == (
        "'Bearer'"
    )
    for response in responses.values():
        assert response["responseParameters"][header("X-Request-Id")] == "context.requestId"
    assert "statusCode" not in responses["DEFAULT_4XX"]
    assert "statusCode" not in responses["DEFAULT_5XX"]
