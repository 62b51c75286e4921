"""How the gateway is set up: flags over environment variables over defaults."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_gateway.selection import DEFAULT_TOOLSETS, known_toolsets, parse_toolsets

DEFAULT_URL = "http://127.0.0.1:8000"
"""Where `omoide serve` listens."""

DEFAULT_PORT = 8001
"""Where the gateway listens."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """The settings of one gateway.

    Attributes:
        transport: ``http`` or ``stdio``.
        host: Address listened on.
        port: Port listened on; 0 takes a free one.
        url: Address of the HTTP API.
        key: Key for callers without one of their own; only on loopback or stdio.
        toolsets: Sets of tools offered.
        allowed_hosts: Further values of ``Host``.
        allowed_origins: Further values of ``Origin``.
    """

    transport: str = "http"
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    url: str = DEFAULT_URL
    key: str | None = field(default=None, repr=False)
    toolsets: tuple[str, ...] = DEFAULT_TOOLSETS
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return self.transport == "stdio" or self.host in _LOOPBACK


def parse_settings(arguments: Sequence[str], environ: Mapping[str, str]) -> GatewaySettings:
    """Return the settings of a command line.

    Args:
        arguments: Without the program's name.
        environ: The environment variables.

    Raises:
        SystemExit: A flag or variable is wrong; it is named on stderr, status 2.
    """
    parser = _parser(environ)
    given = parser.parse_args(arguments)
    settings = GatewaySettings(
        transport=given.transport,
        host=given.host,
        port=given.port,
        url=given.url,
        key=given.key or None,
        toolsets=given.toolsets,
        allowed_hosts=tuple(given.allow_host),
        allowed_origins=tuple(given.allow_origin),
    )
    if settings.key and not settings.is_loopback:
        parser.error(
            "--key or OMOIDE_KEY: on an address that other machines reach every caller must "
            "bring a key of its own; unset it, or listen on 127.0.0.1"
        )
    return settings


def current_settings(arguments: Sequence[str]) -> GatewaySettings:
    """Return the settings of a command line in the environment of this process."""
    return parse_settings(arguments, os.environ)


def _parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m mcp_gateway",
        description="Offer a running Omoide API to MCP clients.",
        epilog="Each flag can also be set by the environment variable named with it.",
    )
    parser.add_argument(
        "--transport", choices=("http", "stdio"), default="http", help="default http"
    )
    _add_address(parser, environ)
    _add_api(parser, environ)
    return parser


def _add_address(parser: argparse.ArgumentParser, environ: Mapping[str, str]) -> None:
    add = parser.add_argument
    add(
        "--host",
        default=environ.get("OMOIDE_MCP_HOST", "127.0.0.1"),
        help="address to listen on, default 127.0.0.1 (OMOIDE_MCP_HOST); on another one every "
        "caller must bring a key",
    )
    add(
        "--port",
        type=_port,
        default=environ.get("OMOIDE_MCP_PORT", str(DEFAULT_PORT)),
        help=f"port to listen on, 0 for a free one, default {DEFAULT_PORT} (OMOIDE_MCP_PORT)",
    )
    add(
        "--allow-host",
        action="append",
        default=_listed(environ, "OMOIDE_MCP_ALLOWED_HOSTS"),
        metavar="HOST[:PORT]",
        help="a further name of this server, as clients send it (OMOIDE_MCP_ALLOWED_HOSTS)",
    )
    add(
        "--allow-origin",
        action="append",
        default=_listed(environ, "OMOIDE_MCP_ALLOWED_ORIGINS"),
        metavar="ORIGIN",
        help="a web origin that may call this server (OMOIDE_MCP_ALLOWED_ORIGINS)",
    )


def _add_api(parser: argparse.ArgumentParser, environ: Mapping[str, str]) -> None:
    add = parser.add_argument
    add(
        "--url",
        type=_url,
        default=environ.get("OMOIDE_URL") or DEFAULT_URL,
        help=f"address of the HTTP API, default {DEFAULT_URL} (OMOIDE_URL)",
    )
    add(
        "--key",
        default=environ.get("OMOIDE_KEY"),
        help="key for clients that send no Authorization of their own (OMOIDE_KEY; a flag can be "
        "seen by other users of the machine)",
    )
    add(
        "--toolsets",
        type=_toolsets,
        default=environ.get("OMOIDE_MCP_TOOLSETS") or ",".join(DEFAULT_TOOLSETS),
        help=f"comma separated, of: {', '.join(known_toolsets())}; default "
        f"{','.join(DEFAULT_TOOLSETS)} (OMOIDE_MCP_TOOLSETS)",
    )


def _listed(environ: Mapping[str, str], name: str) -> list[str]:
    return [part.strip() for part in environ.get(name, "").split(",") if part.strip()]


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (0 to 65535)")
    return int(text)


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text!r} must start with http:// or https://")
    return text.rstrip("/")


def _toolsets(text: str) -> tuple[str, ...]:
    try:
        return parse_toolsets(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
