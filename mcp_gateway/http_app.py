"""MCP over Streamable HTTP, stateless: any request may reach any process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_gateway import __version__
from mcp_gateway.api_client import ApiClient
from mcp_gateway.message_ids import BAD_ID, has_bad_id, refused
from mcp_gateway.protections import (
    MAX_BODY_BYTES,
    TOO_LARGE,
    GuardedApp,
    Protections,
    Refusal,
    refusal_response,
)
from mcp_gateway.request_body import (
    BodyTooLargeError,
    DisconnectedError,
    read_body,
    replayed,
)

MCP_PATHS = ("/mcp", "/mcp/")
"""Both spellings are served; a redirect would lose the body of a POST."""


def build_http_app(
    server: Server[dict[str, Any]], client: ApiClient, protections: Protections
) -> ASGIApp:
    """Return the ASGI application: the MCP endpoint and ``GET /health``.

    Args:
        server: The MCP server.
        client: Its connection to the API, closed when the application stops.
        protections: What requests must look like.
    """
    sessions = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=MAX_BODY_BYTES
    )

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with sessions.run():
            yield
        await client.aclose()

    endpoint = _PostOnly(StreamableHTTPASGIApp(sessions))
    routes = [
        *(Route(path, endpoint=endpoint) for path in MCP_PATHS),
        Route("/health", endpoint=_health, methods=["GET"]),
    ]
    handlers = {404: _not_found, 405: _wrong_method}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return GuardedApp(app, protections)


class _PostOnly:
    """The MCP endpoint: without sessions there is no stream to open and none to end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await refusal_response(_METHOD)(scope, receive, send)
            return
        try:
            body = await read_body(receive, MAX_BODY_BYTES)
        except DisconnectedError:
            return
        except BodyTooLargeError:
            await refusal_response(TOO_LARGE)(scope, receive, send)
            return
        if _has_bad_id(body):
            answer = refused(types.INVALID_REQUEST, BAD_ID, None)
            await JSONResponse(answer.model_dump(mode="json", by_alias=True), 400)(
                scope, receive, send
            )
            return
        await self._app(scope, replayed(body, receive), send)


def _has_bad_id(body: bytes) -> bool:
    try:
        return has_bad_id(from_json(body, allow_inf_nan=False))
    except ValueError:
        return False


_METHOD = Refusal(
    status=405,
    code="METHOD_NOT_ALLOWED",
    field="method",
    problem="must be POST",
    header=("allow", "POST"),
)


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _not_found(request: Request, error: Exception) -> Response:
    return refusal_response(
        Refusal(status=404, code="NOT_FOUND", field="path", problem="is not served; try /mcp")
    )


async def _wrong_method(request: Request, error: Exception) -> Response:
    return refusal_response(
        Refusal(
            status=405,
            code="METHOD_NOT_ALLOWED",
            field="method",
            problem="must be GET",
            header=("allow", "GET"),
        )
    )
