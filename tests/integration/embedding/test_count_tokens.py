"""Counting tokens with the default model's tokenizer."""

import pytest

from omoide_embedding.embedder import OnnxEmbedder
from omoide_embedding.model_folder import built_model_folder


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    """The default model."""
    return OnnxEmbedder(built_model_folder("multilingual-e5-small"))


@pytest.mark.parametrize("text", ["\U00012000" * 50, "\ufffc" * 7, "a \U00012000\U00012001 b"])
def test_each_character_outside_the_vocabulary_counts(embedder: OnnxEmbedder, text: str) -> None:
    unknown = sum(not (c.isspace() or c.isascii()) for c in text)

    assert embedder.count_tokens(text) >= unknown


@pytest.mark.parametrize(
    "text",
    ["The harbour crane was painted grey.", "会議は毎週火曜日です。", "다음 회의는 화요일입니다"],
)
def test_lines_add_up(embedder: OnnxEmbedder, text: str) -> None:
    one = embedder.count_tokens(text)

    assert one > 0
    assert embedder.count_tokens("\n".join([text] * 7)) == 7 * one
