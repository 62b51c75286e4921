"""`omoide get`."""

import click

from infra.local.rendering import memory_page, print_json
from infra.local.target import Target, id_options


@click.command(
    name="get",
    epilog="""\b
Examples:
  omoide get 0199a3c4-5b6e-7c1f-8a52-9d1e0c3b7f11
  omoide get 0199a3c4-5b6e-7c1f-8a52-9d1e0c3b7f11 --json""",
)
@click.argument("memory_id", metavar="ID")
@id_options
def command(target: Target, memory_id: str) -> None:
    """Show the memory with this ID."""
    memory = target.open().call("GET", f"/v1/memories/{segment(memory_id)}")
    if target.as_json:
        print_json(memory)
    else:
        click.echo(memory_page(memory))


def segment(text: str) -> str:
    """The text as one segment of a path.

    Raises:
        click.BadParameter: It is empty.
    """
    from urllib.parse import quote

    if not text:
        raise click.BadParameter("must not be empty", param_hint="ID")
    return quote(text, safe="", errors="surrogateescape")
