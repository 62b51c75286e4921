"""Surfacing at labelled moments: silent at small talk, helpful at most others."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.local.evaluation.__main__ import main
from infra.local.evaluation.moments import read_memories, read_moments
from infra.local.evaluation.surfacing import score_surfacing
from omoide.domain.errors import InvalidRequestError

LABELLED = Path(__file__).parent / "labelled"


def test_the_dev_half_is_silent_at_small_talk_and_helpful_elsewhere() -> None:
    report = score_surfacing(LABELLED, "dev")

    every = report.scores[0]
    assert every.silent_count >= 100
    assert every.helped_count >= 80
    assert every.silent >= 95
    assert every.helped >= 80
    assert report.repeats == 0
    assert [one.name for one in report.scores] == ["all", "en", "ja"]
    assert "repeats in a session: 0" in report.table()


def write(folder: Path, name: str, **line: object) -> None:
    (folder / name).write_text(json.dumps(line) + "\n", encoding="utf-8")


def test_a_line_that_cannot_be_understood_is_named(tmp_path: Path) -> None:
    moment: dict[str, object] = {"user": "a", "language": "en", "text": "x"}
    moment |= {"relevant": [], "half": "dev"}
    write(tmp_path, "surface_memories.jsonl", id="m1")
    write(tmp_path, "surface_moments.jsonl", **moment, label="perhaps")

    with pytest.raises(InvalidRequestError, match=r"surface_memories\.jsonl:1"):
        read_memories(tmp_path)
    with pytest.raises(InvalidRequestError, match=r"surface_moments\.jsonl:1"):
        read_moments(tmp_path, "dev")

    result = CliRunner().invoke(main, ["surfacing", str(tmp_path)])
    assert result.exit_code == 1
    assert "cannot be understood" in result.output
