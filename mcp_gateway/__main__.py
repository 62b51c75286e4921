"""Run the MCP gateway: ``python -m mcp_gateway --help``."""

import logging
import sys
from collections.abc import Sequence
from functools import partial

from mcp_gateway.connections import connect
from mcp_gateway.imports import importing_much
from mcp_gateway.settings import GatewaySettings, current_settings


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until stopped.

    Args:
        arguments: The command line without the program's name; default that of this process.
    """
    settings = current_settings(sys.argv[1:] if arguments is None else arguments)
    _log_to_stderr()
    if settings.transport == "stdio":
        _serve_stdio(settings)
    else:
        _serve_http(settings)


def _serve_stdio(settings: GatewaySettings) -> None:
    with importing_much():
        from mcp_gateway.stdio import run_stdio

    run_stdio(partial(connect, settings.url), toolsets=settings.toolsets, key=settings.key)


def _serve_http(settings: GatewaySettings) -> None:
    with importing_much():
        from mcp_gateway.http_server import serve_http

    serve_http(partial(connect, settings.url), settings)


def _log_to_stderr() -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    for chatty in ("mcp", "httpx", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


if __name__ == "__main__":
    main()
