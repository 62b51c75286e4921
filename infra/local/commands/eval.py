"""`omoide eval`."""

from collections.abc import Callable
from pathlib import Path

import click

from infra.local.progress import show_progress
from infra.local.rendering import print_json
from omoide.domain.errors import InvalidRequestError, OmoideError
from omoide.domain.namespace import canonical_namespace


def _target(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    try:
        return value if value == "*" else canonical_namespace(value)
    except OmoideError as error:
        raise click.BadParameter(str(error)) from None


@click.command(
    name="eval",
    epilog="""\b
Examples:
  omoide eval questions.jsonl
  omoide eval questions.jsonl --model minilm --json
  omoide eval questions.jsonl --tune --save weights.json --namespace work/boats

A line of the file is {"memory": {"content": ..., ...}} or {"query": ..., ...};
docs/ranking.md describes the fields.""",
)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--model", metavar="NAME", help="Name or folder of a model; else the setting's.")
@click.option("--parts/--no-parts", "with_parts", default=True, help="What each part gives.")
@click.option("--tune", "is_tuned", is_flag=True, help="Fit the weights of the ranking instead.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --tune: where to write better weights; OMOIDE_WEIGHTS names it to searches.",
)
@click.option(
    "--namespace",
    default="*",
    show_default=True,
    callback=_target,
    help="With --tune: whose weights they become; * is every namespace not named.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    file: Path,
    model: str | None,
    with_parts: bool,
    is_tuned: bool,
    save: Path | None,
    namespace: str,
    as_json: bool,
) -> None:
    """Measure retrieval on your own memories and queries in FILE, or fit it to them.

    They are stored in a temporary folder: your own memories are neither read nor changed.
    """
    if is_tuned:
        _understood(lambda: _tune(file, model, save, namespace, as_json=as_json))
    else:
        _understood(lambda: _measure(file, model, with_parts=with_parts, as_json=as_json))


def _understood(run: Callable[[], None]) -> None:
    try:
        run()
    except InvalidRequestError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    except OmoideError as error:
        raise click.ClickException(str(error)) from None


def _measure(file: Path, model: str | None, *, with_parts: bool, as_json: bool) -> None:
    from infra.local.evaluation import evaluate_file

    report = evaluate_file(file, show_progress, with_parts=with_parts, model=model)
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.table())


def _tune(
    file: Path, model: str | None, save: Path | None, namespace: str, *, as_json: bool
) -> None:
    from infra.local.evaluation import tune_file
    from infra.local.evaluation.tuning_report import tuning_json, tuning_table
    from omoide.adapters.weights_file import written

    tuned = tune_file(file, show_progress, model=model)
    is_saved = save is not None and tuned.is_better
    if save is not None and is_saved:
        written(save, tuned.model_id, namespace, tuned.weights)
    if as_json:
        print_json({**tuning_json(tuned), "saved": is_saved})
    else:
        click.echo(tuning_table(tuned))
        if is_saved:
            click.echo(f"\nWritten to {save}; OMOIDE_WEIGHTS={save} puts them to use.")
