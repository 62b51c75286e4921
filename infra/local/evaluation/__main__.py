"""`python -m infra.local.evaluation`: retrieval quality on the evaluation sets of a folder."""

from pathlib import Path

import click

from infra.local.evaluation.run import evaluate_data
from infra.local.evaluation.targets import missed
from infra.local.evaluation.time_words import read_labelled, shares
from infra.local.progress import show_progress
from infra.local.rendering import print_json
from omoide.domain.errors import OmoideError


@click.group()
def main() -> None:
    """Measure retrieval quality."""


@main.command()
@click.option(
    "--data",
    envvar="OMOIDE_EVAL_DATA",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with locomo_dev.json, multilingual_dev or both.",
)
@click.option("--model", help="Name or folder of an embedding model; else that of the settings.")
@click.option("--parts/--no-parts", "with_parts", default=True, help="What each part gives.")
@click.option("--check", "is_checked", is_flag=True, help="Fail when a target is missed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def quality(
    data: Path, model: str | None, with_parts: bool, is_checked: bool, as_json: bool
) -> None:
    """Store the sets in a temporary folder, ask their queries, print the figures."""
    try:
        reports = evaluate_data(data, show_progress, with_parts=with_parts, model=model)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        print_json([report.as_json() for report in reports])
    else:
        click.echo("\n\n".join(report.table() for report in reports))
    problems = missed(reports) if is_checked else []
    if problems:
        raise click.ClickException("; ".join(problems))


@main.command(name="time-words")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--half", type=click.Choice(["dev", "held"]), default="dev", show_default=True)
def time_words(file: Path, half: str) -> None:
    """Print which share of a file's labelled windows of time is found, exactly."""
    try:
        labelled = read_labelled(file, half)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"time words, {half}: share of queries whose windows are found exactly")
    for share in shares(labelled):
        click.echo(f"{share.name:20}{share.count:6,}{share.percent:8.1f} %")


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--half", type=click.Choice(["dev", "held"]), default="dev", show_default=True)
@click.option("--fit", "is_fitted", is_flag=True, help="Fit the rule to the dev half instead.")
def surfacing(folder: Path, half: str, is_fitted: bool) -> None:
    """Print how often surfacing is silent at small talk and helpful where it can be."""
    from infra.local.evaluation.surfacing import score_surfacing
    from infra.local.evaluation.surfacing_fit import fit_surfacing

    try:
        told = fit_surfacing(folder) if is_fitted else score_surfacing(folder, half).table()
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    click.echo(told)


if __name__ == "__main__":
    main()
