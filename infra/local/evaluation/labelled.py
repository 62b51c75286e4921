"""Reading the project's own labelled sets, one half of them at a time.

Their queries were written without sight of the code. Half of them, "dev", are for tuning; the
other, "held", is scored once when a ranking is done. Memories belong to both.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from infra.local.evaluation.evaluation_set import (
    Corpus,
    EvaluationSet,
    LabelledMemory,
    LabelledQuery,
)
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import MemoryType
from omoide.services.new_memory import Dedupe, NewMemory

_Object = dict[str, Any]
_LANGUAGES = "languages"
_MEMORIES = "_memories.jsonl"
UNANSWERABLE = "unanswerable"


class Half(StrEnum):
    """Which queries of a labelled set are asked."""

    DEV = "dev"
    HELD = "held"


def read_labelled(folder: Path, half: Half) -> list[EvaluationSet]:
    """Read the sets of a folder: updated facts, answerable and unanswerable queries, languages.

    Args:
        folder: Holds the files as ``tests/quality/labelled`` does.
        half: Which queries to take.

    Raises:
        InvalidRequestError: A file is missing or a line is no JSON object.
    """
    users = ("surface_memories.jsonl", "answerable.jsonl", "unanswerable.jsonl")
    facts = ("updated_facts_memories.jsonl", "updated_facts.jsonl")
    return [
        _by_user("updated_facts", folder, *facts, half=half),
        _by_user("answerable", folder, *users, half=half),
        EvaluationSet(
            name=_LANGUAGES,
            corpora=tuple(
                _corpus(
                    path.name.removesuffix(_MEMORIES),
                    _lines(path),
                    _lines(path.with_name(path.name.replace("_memories", "_queries"))),
                    half,
                )
                for path in sorted((folder / _LANGUAGES).glob(f"*{_MEMORIES}"))
            ),
        ),
    ]


def _by_user(name: str, folder: Path, memories: str, *queries: str, half: Half) -> EvaluationSet:
    told = _lines(folder / memories)
    asked = [line for file in queries for line in _lines(folder / file)]
    users = dict.fromkeys(line["user"] for line in told)
    return EvaluationSet(
        name=name,
        corpora=tuple(_corpus(user, _of(user, told), _of(user, asked), half) for user in users),
    )


def _of(user: str, lines: Iterable[_Object]) -> list[_Object]:
    return [line for line in lines if line["user"] == user]


def _corpus(name: str, told: list[_Object], asked: list[_Object], half: Half) -> Corpus:
    memories = map(_memory, sorted(told, key=lambda line: line["created_at"]))
    return Corpus(
        name=name,
        memories=tuple(memories),
        queries=tuple(_query(line, name) for line in asked if line["half"] == half),
    )


def _memory(line: _Object) -> LabelledMemory:
    event = line.get("event_time")
    return LabelledMemory(
        label=line["id"],
        memory=NewMemory(
            content=line["content"],
            memory_type=MemoryType(line["memory_type"]),
            importance=line["importance"],
            event_time=None if event is None else datetime.fromisoformat(event),
            dedupe=Dedupe.OFF,
        ),
        created_at=datetime.fromisoformat(line["created_at"]),
    )


def _query(line: _Object, corpus: str) -> LabelledQuery:
    as_of = line.get("as_of")
    language = str(line["language"])
    kind = "answerable" if line["relevant"] else UNANSWERABLE
    return LabelledQuery(
        text=line["query"],
        relevant=dict.fromkeys(line["relevant"], 1),
        must_not_top=tuple(line.get("must_not_top", ())),
        as_of=None if as_of is None else datetime.fromisoformat(as_of),
        category=line.get("asks") or (f"{language}->{corpus}" if len(corpus) == 2 else kind),
        language=language,
    )


def _lines(path: Path) -> list[_Object]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRequestError.of(str(path), f"cannot be read: {error.strerror}") from None
    return [json.loads(line) for line in text.splitlines() if line.strip()]
