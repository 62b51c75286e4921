"""Reading a user's own memories and queries.

Either one file of JSON lines, each ``{"memory": {...}}`` or ``{"query": "...", ...}``, or a folder
with ``memories.jsonl`` and ``queries.jsonl`` whose lines are those objects bare; a folder of such
folders is read as several namespaces. docs/ranking.md describes the fields.
"""

import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from infra.local.evaluation.evaluation_set import (
    Corpus,
    EvaluationSet,
    LabelledMemory,
    LabelledQuery,
)
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import (
    ContentType,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    VerificationStatus,
)
from omoide.services.new_memory import Dedupe, NewMemory

_Object = dict[str, Any]
_FIELDS = {field.name for field in fields(NewMemory)} - {"namespace", "dedupe"}
_MEMORY_FIELDS = {field.name for field in fields(NewMemory)} | {"id", "created_at"}
_QUERY_FIELDS = {
    *("id", "namespace", "query", "relevant", "must_not_top", "as_of"),
    *("category", "language"),
}
_TIMES = ("event_time", "event_end", "expires_at")
_LISTS = ("tags", "entities")
_ENUMS = {
    "memory_type": MemoryType,
    "memory_subtype": MemorySubtype,
    "layer": Layer,
    "content_type": ContentType,
    "verification_status": VerificationStatus,
    "source_type": SourceType,
}


def read_own(path: Path) -> EvaluationSet:
    """Read a file or folder of a user.

    Raises:
        InvalidRequestError: Something cannot be read; names the file and line.
    """
    if path.is_file():
        corpora = [_corpus(path.stem, list(_lines(path)))]
    else:
        folders = [path] if (path / "memories.jsonl").is_file() else sorted(path.iterdir())
        corpora = [_folder(f) for f in folders if (f / "memories.jsonl").is_file()]
    if not any(corpus.queries for corpus in corpora):
        raise InvalidRequestError.of(str(path), "holds no memories with queries about them")
    return EvaluationSet(name=path.stem, corpora=tuple(corpora))


def _folder(path: Path) -> Corpus:
    memories = [(at, {"memory": line}) for at, line in _lines(path / "memories.jsonl")]
    return _corpus(path.name, [*memories, *_lines(path / "queries.jsonl")])


def _lines(path: Path) -> Iterator[tuple[str, _Object]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequestError.of(str(path), f"cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            at = f"{path.name}:{number}"
            try:
                value = json.loads(line)
            except ValueError:
                raise InvalidRequestError.of(at, "is not JSON") from None
            if not isinstance(value, dict):
                raise InvalidRequestError.of(at, "is not a JSON object")
            yield at, cast("_Object", value)


def _corpus(name: str, lines: list[tuple[str, _Object]]) -> Corpus:
    memories: list[LabelledMemory] = []
    queries: list[tuple[str, LabelledQuery]] = []
    for at, line in lines:
        try:
            if "memory" in line:
                _require_known(at, line, {"memory"})
                _require_known(at, line["memory"], _MEMORY_FIELDS)
                memories.append(_memory(line["memory"], len(memories)))
            else:
                _require_known(at, line, _QUERY_FIELDS)
                queries.append((at, _query(line)))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidRequestError.of(at, f"cannot be understood: {error!r}") from None
    known = {memory.label for memory in memories}
    for at, query in queries:
        missing = (set(query.relevant) | set(query.must_not_top)) - known
        if missing:
            raise InvalidRequestError.of(at, f"names unknown memories: {sorted(missing)}")
    return Corpus(name=name, memories=tuple(memories), queries=tuple(q for _, q in queries))


def _require_known(at: str, line: _Object, known: set[str]) -> None:
    unknown = ", ".join(sorted(line.keys() - known))
    if unknown:
        problem = f"has unknown fields: {unknown}; known are {', '.join(sorted(known))}"
        raise InvalidRequestError.of(at, problem)


def _memory(line: _Object, number: int) -> LabelledMemory:
    values: _Object = {k: v for k, v in line.items() if k in _FIELDS and v is not None}
    for field, kind in _ENUMS.items():
        if field in values:
            values[field] = kind(values[field])
    values |= {field: tuple(values[field]) for field in _LISTS if field in values}
    values |= {field: _time(values[field]) for field in _TIMES if field in values}
    created = line.get("created_at")
    return LabelledMemory(
        label=str(line.get("id", number)),
        memory=NewMemory(**values, dedupe=Dedupe.OFF),
        created_at=None if created is None else _time(created),
    )


def _query(line: _Object) -> LabelledQuery:
    relevant: _Object | list[str] = line["relevant"]
    grades = relevant if isinstance(relevant, dict) else dict.fromkeys(relevant, 1)
    as_of = line.get("as_of")
    return LabelledQuery(
        text=str(line["query"]),
        relevant={str(label): int(grade) for label, grade in grades.items()},
        must_not_top=tuple(map(str, line.get("must_not_top") or ())),
        as_of=None if as_of is None else _time(as_of),
        category=str(line.get("category", "")),
        language=str(line.get("language", "")),
    )


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
