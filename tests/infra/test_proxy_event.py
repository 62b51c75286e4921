"""HTTP to proxy event, proxy result to HTTP."""

import base64
from typing import Any, cast

from functions.manifest import ApiFunction
from infra.local.proxy_event import LocalRequest, build_event, read_result
from infra.local.routes import Match

FUNCTION = ApiFunction(name="get_memory", method="GET", path="/v1/memories/{memory_id}")


def event_of(
    *, query: str = "", headers: list[tuple[str, str]] | None = None, body: bytes = b""
) -> dict[str, Any]:
    request = LocalRequest(
        method="GET",
        path="/v1/memories/x",
        query=query,
        headers=headers or [],
        body=body,
        request_id="r-1",
    )
    match = Match(function=FUNCTION, path=FUNCTION.path, parameters={"memory_id": "x"})
    return cast("dict[str, Any]", build_event(request, match, {"key_id": "local"}))


def test_the_event_has_what_api_gateway_sends():
    event = event_of()

    assert event["resource"] == "/v1/memories/{memory_id}"
    assert event["path"] == "/v1/memories/x"
    assert event["httpMethod"] == "GET"
    assert event["pathParameters"] == {"memory_id": "x"}
    assert event["queryStringParameters"] is None
    assert event["body"] is None
    assert event["isBase64Encoded"] is False
    assert event["requestContext"]["requestId"] == "r-1"
    assert event["requestContext"]["authorizer"] == {"key_id": "local"}


def test_repeated_headers_and_parameters_are_all_kept_and_the_last_wins():
    event = event_of(query="tag=a&tag=%E6%97%A5&empty=", headers=[("x-a", "1"), ("x-a", "2")])

    assert event["multiValueQueryStringParameters"] == {"tag": ["a", "日"], "empty": [""]}
    assert event["queryStringParameters"] == {"tag": "日", "empty": ""}
    assert event["multiValueHeaders"] == {"x-a": ["1", "2"]}
    assert event["headers"] == {"x-a": "2"}


def test_a_body_that_is_not_utf8_travels_as_base64():
    event = event_of(body=b'{"content": "\xff"}')

    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == b'{"content": "\xff"}'
    assert event_of(body="思い出".encode())["body"] == "思い出"


def test_a_result_becomes_a_response():
    response = read_result(
        {
            "statusCode": 201,
            "multiValueHeaders": {"Set-Thing": ["a", "b"]},
            "headers": {"Content-Type": "application/json", "set-thing": "lost"},
            "body": '{"é": 1}',
            "isBase64Encoded": False,
        }
    )

    assert response.status == 201
    assert response.headers == [
        ("Set-Thing", "a"),
        ("Set-Thing", "b"),
        ("Content-Type", "application/json"),
    ]
    assert response.body == '{"é": 1}'.encode()


def test_a_base64_result_is_decoded():
    body = base64.b64encode(b"\x00\x01").decode()

    assert read_result({"statusCode": 200, "body": body, "isBase64Encoded": True}).body == b"\0\1"


def test_a_result_without_a_body_is_empty():
    assert read_result({"statusCode": 204, "body": None}) == (204, [], b"")
