"""`omoide redrive`."""

import click

from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError


@click.command(
    name="redrive",
    epilog="""\b
Examples:
  OMOIDE_TABLE=omoide OMOIDE_DEAD_LETTERS=https://sqs... omoide redrive
  omoide redrive --json""",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Index again the memories of a table that could not be indexed, once their cause is removed.

    Table, index and dead letters are those of OMOIDE_TABLE, OMOIDE_OPENSEARCH_URL and
    OMOIDE_DEAD_LETTERS. Exit code 1 when some still cannot be indexed: their letters are kept.
    """
    from functions import composition

    try:
        done = composition.redrive_dead_letters()()
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    finally:
        composition.close()
    faults = [
        {"id": one.memory.memory_id, "version": one.version, "reason": one.reason}
        for one in done.faults
    ]
    if as_json:
        print_json({"mended_count": done.mended_count, "faults": faults})
    else:
        click.echo(f"{done.mended_count:,} memories are indexed now, {len(faults):,} cannot be.")
        for fault in faults:
            click.echo(f"{fault['id']} version {fault['version']}: {fault['reason']}")
    if faults:
        raise SystemExit(1)
