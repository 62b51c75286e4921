"""The process of the HTTP gateway."""

import logging
import socket
from contextlib import suppress

import uvicorn

from mcp_gateway.api_client import ApiClient, ClientFactory
from mcp_gateway.http_app import build_http_app
from mcp_gateway.protections import Protections
from mcp_gateway.server import build_server
from mcp_gateway.settings import GatewaySettings

_GRACE_S = 10

_log = logging.getLogger(__name__)


def serve_http(client_factory: ClientFactory, settings: GatewaySettings) -> None:
    """Serve until a signal stops the process; requests in flight are answered first.

    Args:
        client_factory: Opens the connection to the API when the first tool is called.
        settings: Where to listen and what to offer.
    """
    listener = _listen(settings)
    port = int(listener.getsockname()[1])
    client = ApiClient(client_factory, default_key=settings.key)
    app = build_http_app(
        build_server(client, toolsets=settings.toolsets),
        client,
        Protections.for_address(
            port,
            is_loopback=settings.is_loopback,
            more_hosts=settings.allowed_hosts,
            more_origins=settings.allowed_origins,
        ),
    )
    config = uvicorn.Config(
        app, log_config=None, timeout_graceful_shutdown=_GRACE_S, server_header=False, ws="none"
    )
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    _log.info("MCP at http://%s:%d/mcp for the API at %s", shown, port, settings.url)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(settings: GatewaySettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise SystemExit(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}"
        ) from error
    listener.listen(2048)
    return listener
