"""Korean questions about Korean memories, through the services, with the default model."""

from contextlib import nullcontext
from pathlib import Path

from infra.local.evaluation import evaluate_file
from infra.local.evaluation.measuring import Advanced
from infra.local.evaluation.targets import missed

SET = Path(__file__).parent / "korean"


def silent(_label: str, _length: int) -> nullcontext[Advanced]:
    return nullcontext(lambda _done: None)


def test_korean_questions_find_their_memory_first() -> None:
    report = evaluate_file(SET, silent, with_parts=False)

    assert report.memories == 15
    assert report.groups[0].count == 15
    assert report.overall.any_1 is not None
    assert report.overall.any_1 * 15 >= 12
    assert missed([report]) == []
