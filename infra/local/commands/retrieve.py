"""`omoide retrieve`."""

import click

from infra.local.rendering import plain, print_json
from infra.local.target import Json, Target, target_options


@click.command(
    name="retrieve",
    epilog="""\b
Examples:
  omoide retrieve "how do we deploy the staging database"
  omoide retrieve "本番のデータベース" --budget 800 --stage deep
  omoide retrieve "names for the new service" --task "brainstorm ideas" """,
)
@click.argument("query")
@click.option(
    "-b",
    "--budget",
    "token_budget",
    type=click.IntRange(100, 100_000),
    help="Tokens the text may have; 4,000 by default.",
)
@click.option(
    "--target",
    "token_target",
    type=click.Choice(["model", "o200k", "cl100k", "claude"]),
    help="Whose tokens; o200k by default.",
)
@click.option(
    "--stage",
    "cascade_stage",
    type=click.Choice(["fast", "precision", "deep"]),
    help="How much to look at; the words of the query decide by default.",
)
@click.option("--task", "task_context", help="The task at hand.")
@click.option("-k", "--top-k", type=click.IntRange(1, 100), help="Memories at most; 10 by default.")
@click.option("--type", "memory_types", multiple=True, help="Only of this type; may be repeated.")
@click.option("--as-of", metavar="TIME", help="What was valid then.")
@click.option("--timezone", metavar="ZONE", help="Zone of time words and of the dates shown.")
@target_options
def command(target: Target, query: str, memory_types: tuple[str, ...], **options: object) -> None:
    """Print what matters for QUERY as a text within a budget of tokens.

    The text is for an agent: memories as data between two tags that no memory can close.
    """
    body: Json = {"namespace": target.namespace, "query": query, **options}
    body["memory_types"] = list(memory_types) or None
    answer = target.open(embeds=True).call("POST", "/v1/memories/retrieve", body=body)
    if target.as_json:
        print_json(answer)
        return
    if answer["text"]:
        click.echo(plain(str(answer["text"])))
    _remark(answer)


def _remark(answer: Json) -> None:
    """Tell on standard error what to think of the text."""
    if not answer["items"]:
        click.echo("nothing found", err=True)
    elif answer.get("low_confidence"):
        click.echo("low confidence: perhaps nothing here answers this", err=True)
    if answer.get("degraded"):
        click.echo("degraded: not everything could be searched", err=True)
