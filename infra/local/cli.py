"""The command line: `omoide <command>`."""

import importlib
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import cast

import click

COMMANDS = {
    "serve": "Serve the HTTP API on this machine.",
    "store": "Store a memory, or a file of them.",
    "search": "Find the memories that matter for a query.",
    "retrieve": "Print what matters for a query, within a budget of tokens.",
    "surface": "Print what a moment of a conversation calls for, unasked.",
    "hook": "Surface memories for a prompt of Claude Code.",
    "get": "Show one memory.",
    "list": "List memories, newest first.",
    "delete": "Delete memories.",
    "keys": "Create, list and revoke API keys.",
    "doctor": "Check the data folder, the model and the index.",
    "eval": "Measure retrieval on your own memories and queries.",
    "bench": "Measure latency, throughput, start-up and memory.",
    "reindex": "Build the OpenSearch index of a table anew.",
    "redrive": "Index again what could not be indexed.",
    "mcp": "Speak MCP over standard input and output.",
}
"""Every command and the line the overview gives it; its module has the same name."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"infra.local.commands.{cmd_name}")
        return cast("click.Command", module.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version() -> str:
    try:
        return version("omoide")
    except PackageNotFoundError:
        return "(not installed)"


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="omoide")
def main() -> None:
    """Long-term memory for AI agents, on this machine.

    Memories live in one folder (`--data`, or OMOIDE_DATA). Commands work on it directly, whether
    or not a server runs on the same folder; with `--url` they speak to a server instead.

    Exit codes: 0 done; 1 not found, or it failed; 2 the call is wrong.
    """


if __name__ == "__main__":
    sys.exit(main())
