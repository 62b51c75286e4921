"""Labelled moments of conversations: what should come to mind, and where nothing should.

A folder holds ``surface_memories.jsonl`` (``id``, ``user``, ``content``, ``memory_type``,
``importance``, ``created_at``, ``event_time``?) and ``surface_moments.jsonl`` (``id``, ``user``,
``language``, ``text``, ``label`` of ``silence`` or ``useful``, ``relevant`` ids, ``half`` of
``dev`` or ``held``).
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from infra.local.evaluation.measuring import SetClock
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import MemoryType
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.services.new_memory import NewMemory
from omoide.services.store_memory import StoreMemory

NOW = datetime(2026, 11, 25, 9, tzinfo=UTC)
"""When the moments are: all memories are of the months before."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMemory:
    """A memory of one of the users.

    Attributes:
        label: Its id in the file.
        memory: What is stored, in the user's namespace.
        created_at: When.
    """

    label: str
    memory: NewMemory
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Something that was said.

    Attributes:
        user: By whom, which is the namespace.
        language: BCP-47.
        text: What.
        is_useful: Whether something should come to mind.
        relevant: Labels of the memories, any of which is right.
    """

    user: str
    language: str
    text: str
    is_useful: bool
    relevant: frozenset[str]


def read_memories(folder: Path) -> list[KnownMemory]:
    """Read the memories of a folder.

    Raises:
        InvalidRequestError: A line cannot be understood; names it, without its text.
    """
    return list(_read(folder / "surface_memories.jsonl", _memory))


def read_moments(folder: Path, half: str) -> list[Moment]:
    """Read one half of the moments of a folder.

    Raises:
        InvalidRequestError: A line cannot be understood; names it, without its text.
    """

    def moment(line: dict[str, Any]) -> Moment | None:
        return _moment(line) if line["half"] == half else None

    read = _read(folder / "surface_moments.jsonl", moment)
    return [one for one in read if one is not None]


def store_memories(
    store: StoreMemory, clock: SetClock, memories: list[KnownMemory]
) -> dict[str, str]:
    """Store the memories, each at its time; the label of each by its id. The clock shows `NOW`."""
    labels: dict[str, str] = {}
    for known in memories:
        clock.time = known.created_at
        labels[store(LOCAL_PRINCIPAL, known.memory).view.memory.id] = known.label
    clock.time = NOW
    return labels


def _read(path: Path, understand: Callable[[dict[str, Any]], _T]) -> Iterator[_T]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            yield understand(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            place = f"{path.name}:{number}"
            raise InvalidRequestError.of(place, f"cannot be understood: {error!r}") from None


def _memory(line: dict[str, Any]) -> KnownMemory:
    event_time = line.get("event_time")
    memory = NewMemory(
        content=line["content"],
        namespace=line["user"],
        memory_type=MemoryType(line["memory_type"]),
        importance=line["importance"],
        event_time=None if event_time is None else datetime.fromisoformat(event_time),
    )
    return KnownMemory(
        label=line["id"], memory=memory, created_at=datetime.fromisoformat(line["created_at"])
    )


def _moment(line: dict[str, Any]) -> Moment:
    if line["label"] not in {"silence", "useful"}:
        raise ValueError("label is neither silence nor useful")
    return Moment(
        user=line["user"],
        language=line["language"],
        text=line["text"],
        is_useful=line["label"] == "useful",
        relevant=frozenset(line["relevant"]),
    )
