"""`omoide hook`."""

import click


@click.command(
    name="hook",
    epilog="""\b
Examples:
  echo '{"prompt": "I plan a trip", "session_id": "s"}' | omoide hook
In the settings of Claude Code:
  {"hooks": {"UserPromptSubmit": [{"hooks": [
    {"type": "command", "command": "omoide hook --namespace team/a", "timeout": 2}]}]}}""",
)
@click.option("--data", metavar="DIR", help="Data folder (default: OMOIDE_DATA).")
@click.option("--namespace", metavar="NAME", help="Namespace; else the default one.")
@click.option("--budget", type=click.IntRange(100, 100_000), help="Tokens; 800 by default.")
def command(data: str | None, namespace: str | None, budget: int | None) -> None:
    """Surface memories for a prompt of Claude Code (UserPromptSubmit).

    Reads the hook's JSON from standard input and prints what comes to mind as additional context.
    It never stands in the way: after two seconds, or when anything is amiss, it prints nothing and
    ends well. A server on the same folder (`omoide serve`) makes it quick.
    """
    from infra.local import hook

    given = {"--data": data, "--namespace": namespace, "--budget": budget}
    hook.run([part for name, value in given.items() if value for part in (name, str(value))])
