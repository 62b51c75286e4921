"""Writes docs/cli.md from the commands themselves: `python -m infra.local.cli_reference`."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click

from infra.local.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
_WIDTH = 96
_HEAD = """\
# Command line

Written by `make docs` from the commands' own help; change it there.
"""


def cli_reference() -> str:
    """Return the page: the help of every command, those of groups included."""
    context = click.Context(main, info_name="omoide", **main.context_settings)
    parts = [_HEAD]
    for path, command, inner in _commands(context, main):
        parts.append(f"## {path}\n\n```text\n{command.get_help(inner).rstrip()}\n```\n")
    return "\n".join(parts)


def _commands(
    context: click.Context, command: click.Command
) -> Iterator[tuple[str, click.Command, click.Context]]:
    context.terminal_width = _WIDTH
    yield context.command_path, command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = cast("click.Command", command.get_command(context, name))
            inner = click.Context(found, info_name=name, parent=context)
            yield from _commands(inner, found)


if __name__ == "__main__":
    PAGE.write_text(cli_reference(), encoding="utf-8")
