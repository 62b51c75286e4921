"""Tails, merging and files."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.engine.codec import encode
from omoide.engine.merge import merge_parts
from omoide.engine.part import Columns, LivePart, Part, StringColumn
from omoide.engine.postings import Postings
from omoide.engine.segment import UnreadableSegmentError, read_segment, write_segment
from omoide.engine.tail import StoredRow, Tail
from tests.contract.samples import DIMS, REVISION, memory_of, scoring_of

WORDS = ("tea", "car", "sky", "猫")


def row_of(vid: int) -> StoredRow:
    word = WORDS[vid % len(WORDS)]
    memory = memory_of(
        f"m{vid}",
        f"{word} number{vid % 7}",
        session_id=f"s{vid % 3}" if vid % 5 else None,
        turn=vid,
        speaker="花子" if vid % 2 else None,
        tags=("a", word) if vid % 4 else (),
    )
    return StoredRow(vid=vid, memory_id=memory.id, blob=encode(scoring_of(memory, "milk")))


ROWS = [row_of(vid) for vid in range(1, 41)]


def tail_of(rows: Sequence[StoredRow]) -> LivePart:
    tail = Tail(revision=REVISION, dims=DIMS)
    tail.extend(rows)
    return LivePart.of(tail.snapshot())


def texts_of(column: StringColumn, count: int) -> list[str | None]:
    return column.texts_at(np.arange(count))


def postings_of(postings: Postings, part: Part) -> dict[int, list[tuple[int, int, int]]]:
    inverted = postings.invert()
    return {
        int(key): [
            (int(part.columns.vid[row]), own, context)
            for row, own, context in zip(
                inverted.rows[start:end].tolist(),
                inverted.own[start:end].tolist(),
                inverted.context[start:end].tolist(),
                strict=True,
            )
        ]
        for key, start, end in zip(
            inverted.keys.tolist(), inverted.starts[:-1], inverted.starts[1:], strict=True
        )
    }


def contents_of(part: Part) -> dict[str, Any]:
    """Everything a part says, whatever its form."""
    count = part.row_count
    columns = {f.name: getattr(part.columns, f.name).tolist() for f in fields(Columns)}
    return columns | {
        "ids": [part.ids[i] for i in range(count)],
        "session": texts_of(part.session, count),
        "speaker": texts_of(part.speaker, count),
        "vectors": part.vectors.tolist(),
        "vector_rows": part.vector_rows.tolist(),
        "token_bits": part.token_bits.tolist(),
        "token_starts": part.token_starts.tolist(),
        "terms": postings_of(part.terms, part),
        "tags": postings_of(part.tags, part),
        "turns": [int(part.columns.vid[row]) for row in part.turns.rows],
        "summary": part.summary,
    }


@given(
    st.lists(st.integers(0, 40), max_size=4).map(sorted),
    st.sets(st.integers(1, 40), max_size=39),
)
def test_merging_equals_having_had_the_survivors_alone(cuts: list[int], dead: set[int]) -> None:
    parts = [tail_of(ROWS[start:end]) for start, end in zip([0, *cuts], [*cuts, 40], strict=True)]
    vids = np.array(sorted(dead), dtype=np.int64)
    parts = [part.without(vids) for part in parts]

    merged = merge_parts(parts, revision=REVISION, dims=DIMS)
    again = merge_parts([LivePart.of(merged)], revision=REVISION, dims=DIMS)

    survivors = tail_of([row for row in ROWS if row.vid not in dead]).part
    assert contents_of(merged) == contents_of(survivors)
    assert contents_of(again) == contents_of(survivors)


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    part = merge_parts([tail_of(ROWS)], revision=REVISION, dims=DIMS)

    write_segment(tmp_path / "a.seg", part)

    found = read_segment(tmp_path / "a.seg")
    assert contents_of(found) == contents_of(part)
    assert found.revision == REVISION
    assert list(tmp_path.iterdir()) == [tmp_path / "a.seg"]


def test_an_empty_part_can_be_written(tmp_path: Path) -> None:
    part = merge_parts([], revision=REVISION, dims=DIMS)

    write_segment(tmp_path / "a.seg", part)

    assert read_segment(tmp_path / "a.seg").row_count == 0


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.9])
def test_a_file_cut_short_is_unreadable(tmp_path: Path, share: float) -> None:
    path = tmp_path / "a.seg"
    write_segment(path, merge_parts([tail_of(ROWS)], revision=REVISION, dims=DIMS))
    octets = path.read_bytes()
    path.write_bytes(octets[: int(len(octets) * share)])

    with pytest.raises(UnreadableSegmentError):
        read_segment(path)


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSegmentError):
        read_segment(tmp_path / "none.seg")


def test_vectors_of_another_revision_are_dropped_in_a_merge() -> None:
    merged = merge_parts([tail_of(ROWS)], revision="another", dims=32)

    assert merged.vectors.shape == (0, 32)
    assert merged.token_starts.tolist() == [0] * 41
    assert merged.row_count == 40


def test_a_snapshot_does_not_change_when_more_rows_come() -> None:
    tail = Tail(revision=REVISION, dims=DIMS)
    tail.extend(ROWS[:5])
    snapshot = tail.snapshot()
    before = contents_of(snapshot)

    for row in ROWS[5:]:
        tail.extend([row])

    assert contents_of(snapshot) == before
    assert contents_of(tail.snapshot()) == contents_of(tail_of(ROWS).part)


def test_deaths_of_other_parts_change_nothing() -> None:
    part = tail_of(ROWS[10:20])

    assert part.without(np.array([1, 5, 40], dtype=np.int64)) is part
    assert part.without(np.array([11, 40], dtype=np.int64)).live_count == 9
