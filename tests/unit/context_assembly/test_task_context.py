"""What a task says of how freely memories may be chosen."""

import pytest

from omoide.domain.task_context import exploration_of


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("", 0.05),
        ("answer the customer", 0.05),
        ("Brainstorm names", 0.2),
        ("a creative story", 0.2),
        ("ideas for a gift", 0.2),
        ("新機能のアイデア出し", 0.2),
        ("ブレスト", 0.2),
        ("debug the login", 0.02),
        ("fixing an Error", 0.02),
        ("障害の調査", 0.02),
        ("バグを直す", 0.02),
        ("the ideal prefix", 0.05),
        ("debug the brainstorm tool", 0.02),
        ("ideas for fixing it", 0.2),
    ],
)
def test_the_first_telling_word_decides(task: str, expected: float) -> None:
    assert exploration_of(task) == expected
