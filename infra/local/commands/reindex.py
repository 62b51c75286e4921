"""`omoide reindex`."""

import click

from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError


@click.command(
    name="reindex",
    epilog="""\b
Examples:
  OMOIDE_TABLE=omoide OMOIDE_OPENSEARCH_URL=https://... omoide reindex
  omoide reindex --anew --json""",
)
@click.option("--anew", is_flag=True, help="Begin at the first memory, not where a run stopped.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(anew: bool, as_json: bool) -> None:
    """Build the OpenSearch index of a table anew, while it is searched and written to.

    Table and index are those of OMOIDE_TABLE and OMOIDE_OPENSEARCH_URL. A run that is interrupted
    goes on where it stopped; the new index is searched once it is complete. Exit code 1 when a
    memory cannot be indexed; the log names it.
    """
    from functions import composition

    def tell(count: int) -> bool:
        click.echo(f"{count:,} memories", err=True)
        return True

    try:
        done = composition.reindex()(anew=anew, on_page=tell)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    finally:
        composition.close()
    if as_json:
        print_json({"count": done.count, "fault_count": done.fault_count})
    else:
        click.echo(f"{done.count:,} memories are indexed anew, {done.fault_count:,} cannot be.")
    if done.fault_count:
        raise SystemExit(1)
