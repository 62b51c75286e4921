import json
from pathlib import Path

import numpy as np
import pytest

from omoide.domain.errors import ModelUnavailableError
from omoide_embedding.token_weights import plain_weights, read_token_weights, unigram_weights


def test_rare_pieces_weigh_more_and_the_most_frequent_nothing():
    pieces = ["▁harbour", "▁boat", ","]

    weights = unigram_weights(pieces, np.array([-11.5, -8.0, -3.4], np.float32))

    assert weights.tolist() == [7.5, 4.0, 0.0]


def test_stop_words_weigh_nothing_with_or_without_a_word_start():
    weights = unigram_weights(["▁what", "what", "▁whale"], np.full(3, -9.0, np.float32))

    assert weights.tolist() == [0.0, 0.0, 5.0]


def test_without_scores_letters_and_digits_weigh_one():
    weights = plain_weights(["harbour", "##ing", "42", "港", "?", "##.", "the", ""])

    assert weights.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]


def test_a_wordpiece_tokenizer_gives_plain_weights_without_special_pieces(tmp_path: Path):
    write_wordpiece(tmp_path)

    assert read_token_weights(tmp_path).tolist() == [0, 0, 1, 0]


def test_weights_named_in_the_folder_win_and_others_keep_the_plain_rule(tmp_path: Path):
    write_wordpiece(tmp_path)
    (tmp_path / "token_weights.json").write_text('{"cat": 3.5}', encoding="utf-8")

    assert read_token_weights(tmp_path).tolist() == [1, 0, 3.5, 0]


def test_malformed_weights_make_the_model_unavailable(tmp_path: Path):
    write_wordpiece(tmp_path)
    (tmp_path / "token_weights.json").write_text('{"cat": "heavy"}', encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match="token weights"):
        read_token_weights(tmp_path)


def write_wordpiece(folder: Path) -> None:
    vocabulary = {"[CLS]": 0, "the": 1, "cat": 2, ".": 3}
    tokenizer = {
        "added_tokens": [{"id": 0, "content": "[CLS]"}],
        "model": {"type": "WordPiece", "vocab": vocabulary},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
