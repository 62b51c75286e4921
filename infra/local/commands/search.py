"""`omoide search`."""

from typing import cast

import click

from infra.local.rendering import memory_line, print_json
from infra.local.target import Json, Target, target_options


@click.command(
    name="search",
    epilog="""\b
Examples:
  omoide search "what is the staging database called"
  omoide search "本番のデータベース" --top-k 3 --type semantic
  omoide search "who broke the build" --session standup --json""",
)
@click.argument("query")
@click.option("-k", "--top-k", type=click.IntRange(1, 100), help="How many; 10 by default.")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "semantic", "lexical"]),
    help="Find by meaning (semantic), by words (lexical), or both (hybrid).",
)
@click.option("--profile", type=click.Choice(["search", "alpha"]), help="How results are scored.")
@click.option("--type", "memory_types", multiple=True, help="Only of this type; may be repeated.")
@click.option("--tag", "tags_any", multiple=True, help="Only with this tag; may be repeated.")
@click.option("--session", "session_id", help="Only of this conversation.")
@click.option("--speaker", help="Only said by this speaker.")
@click.option("--after", "event_after", metavar="TIME", help="Only what happened since, RFC 3339.")
@click.option("--before", "event_before", metavar="TIME", help="Only what happened before.")
@click.option("--as-of", metavar="TIME", help="What was valid then.")
@click.option("--timezone", metavar="ZONE", help="Zone of words such as yesterday; UTC by default.")
@click.option(
    "--include",
    multiple=True,
    metavar="STATUS",
    help="Find these too: archived, superseded or expired; may be repeated.",
)
@click.option("--min-score", type=float, help="Leave out what scores less.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@target_options
def command(target: Target, query: str, **options: object) -> None:
    """Find the memories that matter for QUERY, the best first."""
    filter_names = {"memory_types", "tags_any", "session_id", "speaker"}
    filter_names |= {"event_after", "event_before"}
    filters = {name: _listed(options.pop(name)) for name in filter_names}
    filters = {name: value for name, value in filters.items() if value}
    body: Json = {"namespace": target.namespace, "query": query, "filters": filters or None}
    body |= {name: _listed(value) or None for name, value in options.items()}
    answer = target.open(embeds=True).call("POST", "/v1/memories/search", body=body)
    if target.as_json:
        print_json(answer)
        return
    for result in cast("list[Json]", answer["results"]):
        click.echo(memory_line(result, score=result["score"]))
        if options["explain"]:
            click.echo(f"        {result.get('explain')}")
    _remark(answer)


def _listed(value: object) -> object:
    return list(cast("tuple[str, ...]", value)) if isinstance(value, tuple) else value


def _remark(answer: Json) -> None:
    """Tell on standard error what to think of the results."""
    if not answer["results"]:
        click.echo("nothing found", err=True)
    elif answer.get("low_confidence"):
        click.echo("low confidence: perhaps nothing here answers this", err=True)
    if answer.get("degraded"):
        click.echo("degraded: not everything could be searched", err=True)
