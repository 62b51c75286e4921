"""`omoide bench`."""

import tempfile
from pathlib import Path

import click

from infra.local.progress import show_progress
from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError

_SIZES = (1_000, 10_000, 100_000)


@click.command(
    name="bench",
    epilog="""\b
Examples:
  omoide bench
  omoide bench --size 1000 --no-load --json""",
)
@click.option(
    "--size",
    "sizes",
    multiple=True,
    type=click.IntRange(1),
    help="Number of memories; may be repeated; 1,000, 10,000 and 100,000 by default.",
)
@click.option("--load/--no-load", "with_load", default=True, help="Run the load profile.")
@click.option("--load-seconds", "load_s", type=click.IntRange(10), default=30, show_default=True)
@click.option(
    "--texts",
    "evaluation",
    envvar="OMOIDE_EVAL_DATA",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with locomo_dev.json to take texts from; else the project's own.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    sizes: tuple[int, ...], with_load: bool, load_s: int, evaluation: Path | None, as_json: bool
) -> None:
    """Measure latency, throughput, start-up and memory, in a temporary folder.

    Takes some minutes; your own memories are neither read nor changed.
    """
    from infra.local.bench.run import BenchOptions, run_bench

    with tempfile.TemporaryDirectory(prefix="omoide-bench-") as folder:
        options = BenchOptions(
            folder=Path(folder),
            sizes=sorted(set(sizes or _SIZES)),
            evaluation=evaluation,
            with_load=with_load,
            load_s=load_s,
        )
        try:
            report = run_bench(options, show_progress)
        except OmoideError as error:
            raise click.ClickException(str(error)) from None
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.table())
