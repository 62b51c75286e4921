"""What the words of a message say of the moment."""

import pytest

from omoide.domain.surfacing.cues import Cue, cues_of

SAID: list[tuple[str, set[Cue]]] = [
    ("I'm planning a trip next month", {Cue.OWN, Cue.PLAN, Cue.TIME}),
    ("book a table for Nadia", {Cue.PLAN, Cue.NAME, Cue.EDIT}),
    ("what's the capital of Peru", {Cue.WORLD, Cue.NAME}),
    ("lol, what a day", {Cue.REMARK}),
    ("Thanks, sounds good", {Cue.ANSWER}),
    ("fix the lint errors", {Cue.EDIT}),
    ("来週の出張の準備をしたい", {Cue.OWN, Cue.PLAN, Cue.TIME}),
    ("佐藤さんに連絡していい?", {Cue.OWN, Cue.PLAN, Cue.NAME}),
    ("フランスの首都って何", {Cue.WORLD, Cue.NAME}),
    ("今日は寒いなあ", {Cue.TIME, Cue.REMARK}),
    ("うん、それで頼む", {Cue.ANSWER, Cue.EDIT}),
    ("ファイルを開いて", {Cue.EDIT, Cue.NAME}),
    ("12:30", set()),
    ("", set()),
]


@pytest.mark.parametrize(("text", "cues"), SAID)
def test_each_cue_is_read_from_words(text: str, cues: set[Cue]) -> None:
    assert cues_of(text) == cues


def test_words_are_whole() -> None:
    assert cues_of("the ideal bookkeeper") == frozenset()
