"""Labelled windows of time: the half that may be tuned on is a gate, the other is only counted."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.local.evaluation.__main__ import main
from infra.local.evaluation.time_words import read_labelled, shares
from omoide.domain.errors import InvalidRequestError

LABELLED = Path(__file__).parent / "labelled" / "time_words.jsonl"
RIGHT = {
    "query": "what did I do yesterday",
    "zone": "America/New_York",
    "now": "2026-03-09T13:15:00Z",
    "language": "en",
    "half": "dev",
    "windows": [{"start": "2026-03-08T05:00:00Z", "end": "2026-03-09T04:00:00Z"}],
}
WRONG = RIGHT | {"windows": [], "language": "ja", "half": "held"}


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_at_least_97_of_100_labelled_queries_have_exactly_their_windows() -> None:
    labelled = read_labelled(LABELLED, "dev")

    assert len(labelled) >= 100
    for share in shares(labelled):
        assert share.percent >= 97, share


def test_a_query_is_right_when_exactly_its_windows_are_found(tmp_path: Path) -> None:
    two = RIGHT | {"windows": RIGHT["windows"] * 2}
    labelled = read_labelled(write(tmp_path / "words.jsonl", RIGHT, two, WRONG), "dev")

    assert [one.is_right for one in labelled] == [True, False]
    assert [(share.name, share.count, share.right) for share in shares(labelled)] == [
        ("all", 2, 1),
        ("language en", 2, 1),
        ("without a time", 0, 0),
    ]


@pytest.mark.parametrize(("half", "share"), [("dev", "100.0 %"), ("held", "0.0 %")])
def test_a_half_is_reported_without_its_texts(tmp_path: Path, half: str, share: str) -> None:
    path = write(tmp_path / "words.jsonl", RIGHT, WRONG)

    shown = CliRunner().invoke(main, ["time-words", str(path), "--half", half])

    assert shown.exit_code == 0
    assert share in shown.output
    assert "yesterday" not in shown.output


def test_a_line_that_cannot_be_understood_is_named_without_its_text(tmp_path: Path) -> None:
    path = write(tmp_path / "words.jsonl", RIGHT, {"query": "secret"})

    with pytest.raises(InvalidRequestError, match=r"words\.jsonl:2") as refused:
        read_labelled(path, "dev")

    assert "secret" not in str(refused.value)
