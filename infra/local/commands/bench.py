"""`omoide bench`."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from infra.local.progress import show_progress
from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError

if TYPE_CHECKING:
    from infra.local.bench.report import Report
    from infra.local.bench.run_options import BenchOptions

_SIZES = (1_000, 10_000, 100_000)
_SPREAD_SIZE = 1_000_000
_DEPLOYED_SIZES = (10_000,)


@click.command(
    name="bench",
    epilog="""\b
Examples:
  omoide bench
  omoide bench --size 1000 --no-load --json
  omoide bench --spread
  omoide bench --spread --size 200000 --folder ./filled
  omoide bench --engine opensearch --size 10000""",
)
@click.option(
    "--engine",
    type=click.Choice(["embedded", "opensearch", "exact"]),
    default="embedded",
    show_default=True,
    help="The data folder of a laptop, or what is deployed, with an index or without.",
)
@click.option(
    "--size",
    "sizes",
    multiple=True,
    type=click.IntRange(1),
    help="Number of memories; may be repeated; 1,000, 10,000 and 100,000 by default, 1,000,000"
    " with --spread, deployed 10,000.",
)
@click.option(
    "--spread",
    "is_spread",
    is_flag=True,
    help="Put a tenth into one namespace and the rest into namespaces of 1,000; measure searches,"
    " writes while files are merged, start-up, memory and disk.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --spread: keep what is stored in this folder, and go on with what is there.",
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
    engine: str,
    sizes: tuple[int, ...],
    is_spread: bool,
    folder: Path | None,
    with_load: bool,
    load_s: int,
    evaluation: Path | None,
    as_json: bool,
) -> None:
    """Measure latency, throughput, start-up and memory, in a temporary folder.

    Takes some minutes; your own memories are neither read nor changed. What is deployed is measured
    on this machine too: the packaged functions beside an emulated table and an OpenSearch node,
    without the load profile.
    """
    if folder is not None and not is_spread:
        raise click.UsageError("--folder goes with --spread.")
    if is_spread and engine != "embedded":
        raise click.UsageError("--spread goes with --engine embedded.")
    with tempfile.TemporaryDirectory(prefix="omoide-bench-") as temporary:
        if engine == "embedded":
            from infra.local.bench.run_options import BenchOptions

            options = BenchOptions(
                folder=folder or Path(temporary),
                sizes=sorted(set(sizes or ((_SPREAD_SIZE,) if is_spread else _SIZES))),
                evaluation=evaluation,
                with_load=with_load,
                load_s=load_s,
            )
            report = _of_laptop(options, is_spread=is_spread)
        else:
            report = _of_deployment(
                Path(temporary), sizes, evaluation, has_index=engine == "opensearch"
            )
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.table())


def _of_laptop(options: "BenchOptions", *, is_spread: bool) -> "Report":
    from infra.local.bench.run import run_bench
    from infra.local.bench.spread_run import run_spread

    try:
        return (run_spread if is_spread else run_bench)(options, show_progress)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None


def _of_deployment(
    folder: Path, sizes: tuple[int, ...], evaluation: Path | None, *, has_index: bool
) -> "Report":
    from infra.local.bench.cloud import CloudOptions, run_cloud_bench
    from infra.local.emulator import EmulatorError
    from infra.local.opensearch_node import NodeError
    from infra.packaging.target import PackagingError

    options = CloudOptions(
        folder=folder,
        sizes=sorted(set(sizes or _DEPLOYED_SIZES)),
        evaluation=evaluation,
        has_index=has_index,
    )
    try:
        return run_cloud_bench(options, show_progress)
    except (OmoideError, EmulatorError, NodeError, PackagingError) as error:
        raise click.ClickException(str(error)) from None
