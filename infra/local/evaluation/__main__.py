"""`python -m infra.local.evaluation`: retrieval quality on the evaluation sets of a folder."""

from pathlib import Path

import click

from infra.local.evaluation import time_words as words_of_time
from infra.local.evaluation.run import evaluate_data
from infra.local.evaluation.targets import missed
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
        told = words_of_time.read_labelled(file, half)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"time words, {half}: share of queries whose windows are found exactly")
    for share in words_of_time.shares(told):
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


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--data", envvar="OMOIDE_EVAL_DATA", type=click.Path(exists=True, path_type=Path))
@click.option("--half", type=click.Choice(["dev", "held"]), default="dev", show_default=True)
@click.option("--fit", "is_fitted", is_flag=True, help="Fit the rule to the dev half instead.")
def confidence(folder: Path, data: Path | None, half: str, is_fitted: bool) -> None:
    """Print how often an answer says rightly that it is none, and how often scores are right."""
    from infra.local.evaluation.answers import answers
    from infra.local.evaluation.calibration import fit_probability, reliability
    from infra.local.evaluation.confidence import fit_confidence, flagged
    from infra.local.evaluation.labelled import Half

    try:
        found = answers(folder, data, Half(half), show_progress)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    told = (fit_confidence, fit_probability) if is_fitted else (flagged, reliability)
    click.echo("\n\n".join(tell(found) for tell in told))


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--half", type=click.Choice(["dev", "held"]), default="dev", show_default=True)
@click.option("--parts/--no-parts", "with_parts", default=False, help="What each part gives.")
def labelled(folder: Path, half: str, with_parts: bool) -> None:
    """Print the figures of the labelled sets: updated facts, answerable queries, languages."""
    from infra.local.evaluation.labelled import Half, read_labelled
    from infra.local.evaluation.run import evaluate

    try:
        sets = read_labelled(folder, Half(half))
        reports = evaluate(sets, show_progress, with_parts=with_parts)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    click.echo("\n\n".join(report.table() for report in reports))


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--requests", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def contexts(folder: Path, requests: int, seed: int) -> None:
    """Ask random retrievals and count those that break a promise; fail if any does."""
    from infra.local.evaluation.random_contexts import try_contexts

    try:
        with show_progress("random retrievals", requests) as advanced:
            tally = try_contexts(folder, requests, advanced, seed)
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    click.echo(
        f"{tally.requests:,} requests, {tally.with_items:,} with memories: "
        f"{tally.over_budget} over budget, {tally.empty} empty where a search finds, "
        f"{tally.unlike} unlike the second time"
    )
    if not tally.is_right:
        raise click.ClickException("a promise was broken")


if __name__ == "__main__":
    main()
