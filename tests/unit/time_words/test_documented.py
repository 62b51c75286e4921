import re
from pathlib import Path

import pytest

from tests.unit.time_words.told import found, told

PAGE = Path(__file__).resolve().parents[3] / "docs" / "time.md"


def documented() -> list[tuple[str, str]]:
    """The rows of the page's table of windows."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("| words | window |\n|---|---|\n")
    table, _, _ = rest.partition("\n\n")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, flags=re.MULTILINE)
    return [(words, window) for words, window in rows]


def test_the_page_has_examples_of_every_language() -> None:
    text = " ".join(words for words, _ in documented())

    assert all(word in text for word in ("yesterday", "先週", "上周", "지난주"))


@pytest.mark.parametrize(("words", "window"), documented())
def test_words_mean_what_the_page_says(words: str, window: str) -> None:
    assert found(words, "America/New_York") == [told(window, "America/New_York")]
