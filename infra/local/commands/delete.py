"""`omoide delete`."""

import sys

import click

from infra.local.commands.get import segment
from infra.local.target import Calls, Target, id_options


@click.command(
    name="delete",
    epilog="""\b
Examples:
  omoide delete 0199a3c4-5b6e-7c1f-8a52-9d1e0c3b7f11
  omoide delete --yes ID1 ID2 ID3""",
)
@click.argument("memory_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--cascade", is_flag=True, help="Delete also what was derived from them.")
@click.option("-y", "--yes", "is_sure", is_flag=True, help="Do not ask.")
@id_options
def command(target: Target, memory_ids: tuple[str, ...], cascade: bool, is_sure: bool) -> None:
    """Delete memories for good; asks first on a terminal."""
    if not is_sure and sys.stdin.isatty():
        click.confirm(f"Delete {len(memory_ids)} for good?", abort=True, err=True)
    calls = target.open()
    failed = sum(not _delete(calls, one, cascade=cascade) for one in memory_ids)
    if target.as_json:
        click.echo(f'{{"deleted": {len(memory_ids) - failed}, "failed": {failed}}}')
    if failed:
        sys.exit(1)


def _delete(calls: Calls, memory_id: str, *, cascade: bool) -> bool:
    query = {"cascade": "true"} if cascade else None
    try:
        calls.call("DELETE", f"/v1/memories/{segment(memory_id)}", query=query)
    except click.ClickException as error:
        click.echo(f"{memory_id}: {error.message}", err=True)
        return False
    click.echo(f"{memory_id}  deleted", err=True)
    return True
