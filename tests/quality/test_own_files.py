"""A user's own memories and queries are read, or refused with the line."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from infra.local.evaluation.own_files import read_own
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import MemoryType


def write(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_one_file_holds_memories_and_queries(tmp_path: Path) -> None:
    path = write(
        tmp_path / "mine.jsonl",
        {"memory": {"id": "a", "content": "boat", "tags": ["sea"], "memory_type": "procedural"}},
        {"memory": {"content": "rudder", "created_at": "2026-01-02T03:04:05Z"}},
        {"query": "boat?", "relevant": {"a": 3}, "must_not_top": ["1"], "category": "easy"},
        {"query": "rudder?", "relevant": ["1"], "as_of": "2026-02-01", "language": "en"},
    )

    read = read_own(path)

    (corpus,) = read.corpora
    first, second = corpus.memories
    assert (read.name, corpus.name) == ("mine", "mine")
    assert (first.label, first.memory.tags) == ("a", ("sea",))
    assert first.memory.memory_type is MemoryType.PROCEDURAL
    assert (second.label, second.created_at) == ("1", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert corpus.queries[0].relevant == {"a": 3}
    assert corpus.queries[0].must_not_top == ("1",)
    assert corpus.queries[1].as_of == datetime(2026, 2, 1, tzinfo=UTC)


def test_a_folder_of_folders_holds_namespaces(tmp_path: Path) -> None:
    for name in ("home", "work"):
        write(tmp_path / name / "memories.jsonl", {"id": name, "content": name})
        write(tmp_path / name / "queries.jsonl", {"query": name, "relevant": [name]})

    read = read_own(tmp_path)

    assert [corpus.name for corpus in read.corpora] == ["home", "work"]
    assert (read.memory_count, read.query_count) == (2, 2)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"query": "x"}', "relevant"),
        ('{"query": "x", "relevant": ["z"]}', "unknown memories"),
        ('{"memory": {"content": "x", "memory_type": "dream"}}', "dream"),
        ('{"memory": {"content": "x", "created_at": "then"}}', "then"),
        ('{"memory": {"content": "x", "event_tme": "2026-01-01"}}', "unknown fields: event_tme;"),
        ('{"memory": {"content": "x"}, "query": 1}', "unknown fields: query;"),
        ('{"query": "x", "relevant": ["a"], "must_not": []}', "unknown fields: must_not;"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"memory": {"id": "a", "content": "boat"}}\n' + line, encoding="utf-8")

    with pytest.raises(InvalidRequestError, match=problem) as refused:
        read_own(path)

    assert refused.value.details[0].field == "mine.jsonl:2"


def test_a_file_without_queries_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", {"memory": {"content": "boat"}})

    with pytest.raises(InvalidRequestError, match="queries"):
        read_own(path)
