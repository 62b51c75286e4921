"""Memories as text for a terminal."""

import json
from typing import cast

import click

from infra.local.plain_text import plain
from infra.local.target import Json

__all__ = ["memory_line", "memory_page", "plain", "print_json"]

_LINE_CHARACTERS = 160


def print_json(value: object) -> None:
    """Print a JSON value on standard output, indented."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def memory_line(memory: Json, *, score: object = None) -> str:
    """One line: id, day, type, speaker and the beginning of the content."""
    content = " ".join(plain(str(memory["content"])).split())
    if len(content) > _LINE_CHARACTERS:
        content = content[: _LINE_CHARACTERS - 1] + "…"
    speaker = f"{plain(str(memory['speaker']))}: " if memory.get("speaker") else ""
    begin = f"{cast('float', score):6.3f}  " if score is not None else ""
    day = str(memory["created_at"])[:10]
    kind = f"{memory['memory_type']!s:10}"
    return f"{begin}{click.style(str(memory['id']), dim=True)}  {day}  {kind}  {speaker}{content}"


def memory_page(memory: Json) -> str:
    """Every field that has a value, the content last."""
    lines = [
        f"{click.style(name, dim=True)}: {plain(_value(value))}"
        for name, value in memory.items()
        if name != "content" and value not in (None, [], {})
    ]
    return "\n".join([*lines, "", plain(str(memory["content"]))])


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
