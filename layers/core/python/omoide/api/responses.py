"""Answers of the functions."""

from collections.abc import Mapping

import pydantic_core
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.content_types import APPLICATION_JSON


def json_response(
    status: int, payload: Mapping[str, object], headers: Mapping[str, str] | None = None
) -> Response[str]:
    """An answer with a JSON object."""
    return text_response(status, pydantic_core.to_json(payload).decode(), headers)


def text_response(
    status: int, body: str, headers: Mapping[str, str] | None = None
) -> Response[str]:
    """An answer whose body is JSON text already."""
    return Response(
        status_code=status,
        content_type=APPLICATION_JSON,
        headers=dict(headers or {}),
        body=body,
    )


def empty_response() -> Response[str]:
    """204: done, nothing to say."""
    return Response(status_code=204, content_type=None, body="")
