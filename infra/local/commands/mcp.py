"""`omoide mcp`."""

from typing import TYPE_CHECKING

import click

from infra.local.target import place_of

if TYPE_CHECKING:
    import httpx


@click.command(
    name="mcp",
    epilog="""\b
Examples:
  omoide mcp
  omoide mcp --data ./memories --toolsets core,compat-memex
  claude mcp add omoide -- omoide mcp""",
)
@click.option(
    "--data",
    metavar="DIR",
    help="Data folder; wins over OMOIDE_URL (default: OMOIDE_DATA, else the user's data folder).",
)
@click.option("--url", envvar="OMOIDE_URL", metavar="URL", help="Speak to this server instead.")
@click.option("--key", envvar="OMOIDE_KEY", metavar="KEY", help="API key, omo_... (OMOIDE_KEY).")
@click.option(
    "--toolsets",
    envvar="OMOIDE_MCP_TOOLSETS",
    default="core",
    show_default=True,
    help="Sets of tools, by comma (OMOIDE_MCP_TOOLSETS).",
)
def command(data: str | None, url: str | None, key: str | None, toolsets: str) -> None:
    """Speak MCP over standard input and output, with or without a running server."""
    from mcp_gateway.imports import importing_much

    with importing_much():
        from mcp_gateway.selection import parse_toolsets
        from mcp_gateway.stdio import run_stdio

    url, key = place_of(data, url, key)
    try:
        chosen = parse_toolsets(toolsets)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--toolsets") from None
    run_stdio(lambda: _open_client(data, url), toolsets=chosen, key=key)


def _open_client(data: str | None, url: str | None) -> "httpx.Client | httpx.AsyncClient":
    """The API: in this process unless a server is named; imported when the first tool is called."""
    import httpx

    from mcp_gateway.connections import connect

    if url is not None:
        return connect(url)
    from functions import composition
    from infra.local.transport import InProcessTransport
    from omoide.settings import Settings

    composition.configure(Settings.load(data=data))
    return httpx.Client(transport=InProcessTransport(), base_url="http://omoide.local")
