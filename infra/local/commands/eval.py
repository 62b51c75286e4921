"""`omoide eval`."""

from pathlib import Path

import click

from infra.local.progress import show_progress
from infra.local.rendering import print_json
from omoide.domain.errors import InvalidRequestError, OmoideError


@click.command(
    name="eval",
    epilog="""\b
Examples:
  omoide eval questions.jsonl
  omoide eval questions.jsonl --model minilm --json

A line of the file is {"memory": {"content": ..., ...}} or {"query": ..., ...};
docs/ranking.md describes the fields.""",
)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--model", metavar="NAME", help="Name or folder of a model; else the setting's.")
@click.option("--parts/--no-parts", "with_parts", default=True, help="What each part gives.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: Path, model: str | None, with_parts: bool, as_json: bool) -> None:
    """Measure retrieval on your own memories and queries in FILE.

    They are stored in a temporary folder: your own memories are neither read nor changed.
    """
    from infra.local.evaluation import evaluate_file

    try:
        report = evaluate_file(file, show_progress, with_parts=with_parts, model=model)
    except InvalidRequestError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    except OmoideError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        print_json(report.as_json())
    else:
        click.echo(report.table())
