"""`omoide surface`."""

import sys

import click

from infra.local.rendering import plain, print_json
from infra.local.target import Json, Target, target_options


@click.command(
    name="surface",
    epilog="""\b
Examples:
  omoide surface --session chat-42 "what could I give my mother for her birthday"
  echo "母の誕生日に何を贈ろうかな" | omoide surface --session chat-42 -""",
)
@click.argument("context")
@click.option(
    "-s",
    "--session",
    "session_id",
    required=True,
    help="The conversation; nothing is shown to it twice.",
)
@click.option(
    "-b",
    "--budget",
    "token_budget",
    type=click.IntRange(100, 100_000),
    help="Tokens the text may have; 800 by default.",
)
@click.option(
    "--valence",
    "current_valence",
    type=click.FloatRange(-1, 1),
    help="The mood, -1 to 1: memories of the same feeling come first.",
)
@click.option("--timezone", metavar="ZONE", help="Zone of the dates shown.")
@target_options
def command(target: Target, context: str, **options: object) -> None:
    """Print what CONTEXT, which was just said, calls for; nothing, most of the time.

    A `-` reads CONTEXT from standard input.
    """
    said = sys.stdin.read() if context == "-" else context
    body: Json = {"namespace": target.namespace, "context": said, **options}
    answer = target.open(embeds=True).call("POST", "/v1/memories/surface", body=body)
    if target.as_json:
        print_json(answer)
        return
    if answer["text"]:
        click.echo(plain(str(answer["text"])))
    if answer.get("degraded"):
        click.echo("degraded: not everything could be searched", err=True)
