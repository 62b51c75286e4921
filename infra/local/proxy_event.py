"""HTTP requests as API Gateway REST API (v1) proxy events, and proxy results as responses."""

import base64
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict, cast
from urllib.parse import parse_qsl

from infra.local.routes import Match
from omoide.domain.errors import InvalidRequestError

HeaderList = Sequence[tuple[str, str]]
Event = dict[str, object]


class LocalResponse(NamedTuple):
    """An HTTP response.

    Attributes:
        status: Status code.
        headers: Header fields in order; a name may repeat.
        body: The bytes of the body.
    """

    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRequest:
    """An HTTP request.

    Attributes:
        method: Upper case.
        path: Percent-encoded, without the query string.
        query: The query string without ``?``.
        headers: Header fields in order; names in any case.
        body: The bytes of the body.
        request_id: Id of this request, in logs and error answers.
    """

    method: str
    path: str
    query: str
    headers: HeaderList
    body: bytes
    request_id: str


class ProxyResult(TypedDict, total=False):
    """What a handler returns to API Gateway."""

    statusCode: int
    headers: Mapping[str, str]
    multiValueHeaders: Mapping[str, Sequence[str]]
    body: str | None
    isBase64Encoded: bool


def build_event(request: LocalRequest, match: Match, authorizer: Mapping[str, str] | None) -> Event:
    """Build the proxy event of a request.

    Args:
        request: The request.
        match: The function it belongs to.
        authorizer: The principal as the Lambda authorizer's context would carry it.

    Raises:
        InvalidRequestError: A parameter of the path or the query is not UTF-8; names it.
    """
    headers = _grouped(request.headers)
    pairs = parse_qsl(request.query, keep_blank_values=True, errors="surrogateescape")
    _require_utf8([*match.parameters.items(), *pairs])
    parameters = _grouped(pairs)
    body, is_base64 = _body(request.body)
    context = _context(request, match, _last(headers, "user-agent"))
    if authorizer is not None:
        context["authorizer"] = dict(authorizer)
    return {
        "resource": match.path,
        "path": request.path,
        "httpMethod": request.method,
        "headers": {name: values[-1] for name, values in headers.items()},
        "multiValueHeaders": headers,
        "queryStringParameters": {k: v[-1] for k, v in parameters.items()} or None,
        "multiValueQueryStringParameters": parameters or None,
        "pathParameters": match.parameters or None,
        "stageVariables": None,
        "requestContext": context,
        "body": body,
        "isBase64Encoded": is_base64,
    }


def _context(request: LocalRequest, match: Match, user_agent: str) -> Event:
    return {
        "accountId": "local",
        "apiId": "local",
        "httpMethod": request.method,
        "identity": {"sourceIp": "127.0.0.1", "userAgent": user_agent},
        "path": request.path,
        "protocol": "HTTP/1.1",
        "requestId": request.request_id,
        "requestTimeEpoch": time.time_ns() // 1_000_000,
        "resourcePath": match.path,
        "stage": "local",
    }


def read_result(result: object) -> LocalResponse:
    """Read what a handler returned."""
    answer = cast("ProxyResult", result)
    headers = [
        (name, value)
        for name, values in (answer.get("multiValueHeaders") or {}).items()
        for value in values
    ]
    named = {name.lower() for name, _ in headers}
    headers += [
        (name, value)
        for name, value in (answer.get("headers") or {}).items()
        if name.lower() not in named
    ]
    text = answer.get("body") or ""
    body = base64.b64decode(text) if answer.get("isBase64Encoded") else text.encode()
    return LocalResponse(answer.get("statusCode", 200), headers, body)


def _grouped(pairs: HeaderList) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def _require_utf8(parameters: HeaderList) -> None:
    for name, value in parameters:
        if not _is_utf8(name):
            raise InvalidRequestError.of("query", "holds a parameter whose name is not UTF-8")
        if not _is_utf8(value):
            raise InvalidRequestError.of(name, "is not UTF-8")


def _is_utf8(text: str) -> bool:
    """Whether no bytes were left that are not UTF-8: decoding kept those as lone surrogates."""
    return not any("\udc80" <= character <= "\udcff" for character in text)


def _last(headers: Mapping[str, Sequence[str]], name: str) -> str:
    return next((v[-1] for k, v in headers.items() if k.lower() == name), "")


def _body(body: bytes) -> tuple[str | None, bool]:
    if not body:
        return None, False
    try:
        return body.decode("utf-8"), False
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), True
