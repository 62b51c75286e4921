"""`omoide store`."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO, cast

import click

from infra.local.progress import show_progress
from infra.local.rendering import print_json
from infra.local.target import Calls, Json, Target, target_options

_BATCH = 50
_BATCH_CHARACTERS = 30_000
_TYPES = click.Choice(["episodic", "semantic", "procedural", "prospective"])


@click.command(
    name="store",
    epilog="""\b
Examples:
  omoide store "The staging database is called tiger."
  omoide store --type episodic --speaker Ana --session standup "The build is green again."
  git log -1 --format=%B | omoide store -
  omoide store --lines notes.txt --tag notes
  omoide store --jsonl memories.jsonl""",
)
@click.argument("text", required=False)
@click.option("--lines", type=click.File(encoding="utf-8"), help="Store each line of a file.")
@click.option(
    "--jsonl",
    type=click.File(encoding="utf-8"),
    help="Store each line of a file, a JSON object with the fields of POST /v1/memories.",
)
@click.option("--type", "memory_type", type=_TYPES, help="Kind of memory.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--summary", help="A short form.")
@click.option("--importance", type=click.FloatRange(0, 1), help="0 to 1.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="0 to 1.")
@click.option("--speaker", help="Who said it.")
@click.option("--session", "session_id", help="Conversation it belongs to.")
@click.option("--turn", type=click.IntRange(0), help="Its place in the conversation.")
@click.option("--event-time", metavar="TIME", help="When it happened, RFC 3339.")
@click.option("--pinned", is_flag=True, help="Never let it fade.")
@click.option(
    "--dedupe",
    type=click.Choice(["exact", "off"]),
    help="exact: the same text is the same memory; off: always a new one.",
)
@target_options
def command(
    target: Target,
    text: str | None,
    lines: TextIO | None,
    jsonl: TextIO | None,
    tags: tuple[str, ...],
    pinned: bool,
    **fields: object,
) -> None:
    """Store a memory: TEXT, or standard input when TEXT is - or missing."""
    if sum(source is not None for source in (text, lines, jsonl)) > 1:
        raise click.UsageError("TEXT, --lines and --jsonl exclude each other.")
    shared: Json = {name: value for name, value in fields.items() if value is not None}
    shared |= {"tags": list(tags)} if tags else {}
    shared |= {"pinned": True} if pinned else {}
    shared |= {"namespace": target.namespace} if target.namespace is not None else {}
    if lines is None and jsonl is None:
        _store_one(target, shared | {"content": _text(text)})
        return
    try:
        given = _plain_lines(lines) if lines is not None else _objects(jsonl or ())
        memories = [shared | one for one in given]
    except UnicodeDecodeError as error:
        hint = "--lines" if lines is not None else "--jsonl"
        raise click.BadParameter(f"not UTF-8: {error.reason}", param_hint=hint) from None
    _store_many(target, memories)


def _text(text: str | None) -> str:
    if text is not None and text != "-":
        return text
    if text is None and sys.stdin.isatty():
        raise click.UsageError("Missing argument 'TEXT'; - reads standard input.")
    try:
        return sys.stdin.buffer.read().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8"
        raise click.BadParameter(problem, param_hint="standard input") from None


def _plain_lines(lines: Iterable[str]) -> Iterator[Json]:
    return ({"content": line.rstrip("\n")} for line in lines if line.strip())


def _objects(lines: Iterable[str]) -> Iterator[Json]:
    return (_object(n, line) for n, line in enumerate(lines, 1) if line.strip())


def _object(number: int, line: str) -> Json:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise click.BadParameter(f"line {number}: {error}", param_hint="--jsonl") from None
    except RecursionError:
        problem = f"line {number}: is nested too deeply"
        raise click.BadParameter(problem, param_hint="--jsonl") from None
    if not isinstance(value, dict):
        raise click.BadParameter(f"line {number}: not a JSON object", param_hint="--jsonl")
    return cast("Json", value)


def _store_one(target: Target, memory: Json) -> None:
    stored = target.open(embeds=True).call("POST", "/v1/memories", body=memory)
    if target.as_json:
        print_json(stored)
    else:
        click.echo(f"{stored['id']}  {stored['outcome']}")


def _store_many(target: Target, memories: list[Json]) -> None:
    calls = target.open(embeds=True)
    failed = 0
    with show_progress(f"storing {len(memories):,}", len(memories)) as advanced:
        done = 0
        for batch in _batches(memories):
            for result in _store_batch(calls, batch):
                failed += "error" in result
                _report(target, done + int(cast("int", result["index"])), result)
            done += len(batch)
            advanced(len(batch))
    click.echo(f"{len(memories) - failed} stored, {failed} refused", err=True)
    if failed:
        sys.exit(1)


def _store_batch(calls: Calls, batch: list[Json]) -> list[Json]:
    answer = calls.call("POST", "/v1/memories/batch", body={"memories": batch})
    return cast("list[Json]", answer["results"])


def _batches(memories: list[Json]) -> Iterator[list[Json]]:
    """Cut into requests of a limited number of memories and characters."""
    batch: list[Json] = []
    size = 0
    for memory in memories:
        characters = len(str(memory.get("content", "")))
        if batch and (len(batch) == _BATCH or size + characters > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(memory)
        size += characters
    if batch:
        yield batch


def _report(target: Target, index: int, result: Json) -> None:
    if "error" in result:
        error = cast("Json", result["error"])
        details = cast("list[dict[str, str]]", error.get("details") or [])
        told = "; ".join(f"{d['field']}: {d['problem']}" for d in details)
        click.echo(f"memory {index + 1}: {told or error['message']}", err=True)
    elif target.as_json:
        click.echo(json.dumps(result["memory"], ensure_ascii=False))
    else:
        memory = cast("Json", result["memory"])
        click.echo(f"{memory['id']}  {memory['outcome']}")
