"""`omoide list`."""

import json
from collections.abc import Iterator
from typing import cast

import click

from infra.local.rendering import memory_line
from infra.local.target import Calls, Json, Target, target_options

_PAGE = 200


@click.command(
    name="list",
    epilog="""\b
Examples:
  omoide list
  omoide list --tag notes --limit 5
  omoide list --all --json > memories.jsonl""",
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many.")
@click.option("--all", "is_all", is_flag=True, help="Every one, whatever --limit says.")
@click.option("--type", "memory_type", help="Only of this type.")
@click.option("--status", help="active, archived, superseded or expired.")
@click.option("--tag", help="Only with this tag.")
@click.option("--session", "session_id", help="Only of this conversation.")
@target_options
def command(target: Target, limit: int, is_all: bool, **conditions: object) -> None:
    """List memories, newest first; with --json one object a line."""
    calls = target.open()
    query: Json = {"namespace": target.namespace, **conditions}
    listed = total = 0
    for page in _pages(calls, query, None if is_all else limit):
        memories = cast("list[Json]", page["memories"])
        total = max(total, cast("int", page.get("total") or 0))
        listed += len(memories)
        for memory in memories:
            click.echo(
                json.dumps(memory, ensure_ascii=False) if target.as_json else memory_line(memory)
            )
    if not listed:
        click.echo("no memories", err=True)
    elif listed < total and not is_all:
        click.echo(f"{listed:,} of {total:,}; --all lists every one", err=True)


def _pages(calls: Calls, query: Json, limit: int | None) -> Iterator[Json]:
    cursor: object = None
    left = limit
    while left is None or left > 0:
        size = _PAGE if left is None else min(_PAGE, left)
        page = calls.call("GET", "/v1/memories", query={**query, "limit": size, "cursor": cursor})
        yield page
        left = None if left is None else left - len(cast("list[Json]", page["memories"]))
        cursor = page.get("next_cursor")
        if cursor is None:
            return
