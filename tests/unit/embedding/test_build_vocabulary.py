import json

import pytest

from omoide_embedding.build.vocabulary import BASE_SCRIPTS, prune_vocabulary

PIECES = [
    "<s>", "<unk>", "▁Häuser", "▁người", "ひらがな", "カナ", "漢字", "한글", "▁Привет", "▁مرحبا",
    "สวัสดี", "नमस्ते", "γειά", "😀", "42", "→", "!", "<mask>",
]  # fmt: skip


def tokenizer(kind: str = "Unigram") -> bytes:
    document = {
        "added_tokens": [
            {"id": 0, "content": "<s>"},
            {"id": 1, "content": "<unk>"},
            {"id": 17, "content": "<mask>"},
        ],
        "model": {
            "type": kind,
            "unk_id": 1,
            "vocab": [[piece, -float(number)] for number, piece in enumerate(PIECES)],
        },
    }
    return json.dumps(document).encode()


def kept_pieces(*scripts: str) -> list[str]:
    smaller, _ = prune_vocabulary(tokenizer(), scripts)
    return [piece for piece, _ in json.loads(smaller)["model"]["vocab"]]


def test_the_base_keeps_latin_with_all_diacritics_and_east_asia_and_symbols():
    kept = kept_pieces(*BASE_SCRIPTS)

    assert set(PIECES) - set(kept) == {"▁Привет", "▁مرحبا", "สวัสดี", "नमस्ते", "γειά"}


@pytest.mark.parametrize(
    ("script", "piece"),
    [
        ("cyrillic", "▁Привет"),
        ("arabic", "▁مرحبا"),
        ("thai", "สวัสดี"),
        ("devanagari", "नमस्ते"),
        ("greek", "γειά"),
    ],
)
def test_another_script_is_kept_when_named(script: str, piece: str):
    assert piece in kept_pieces(*BASE_SCRIPTS, script)


def test_all_keeps_everything():
    assert kept_pieces("all") == PIECES


def test_pieces_are_renumbered_with_their_scores_and_special_ones():
    smaller, kept = prune_vocabulary(tokenizer(), ["hangul"])
    document = json.loads(smaller)

    assert kept.tolist() == [0, 1, 7, 17]
    assert document["model"]["vocab"][2] == ["한글", -7.0]
    assert document["added_tokens"][-1] == {"id": 3, "content": "<mask>"}
    assert document["model"]["unk_id"] == 1


def test_an_unknown_script_is_named():
    with pytest.raises(ValueError, match="unknown klingon"):
        prune_vocabulary(tokenizer(), ["latin", "klingon"])


def test_other_kinds_of_vocabulary_are_refused():
    with pytest.raises(ValueError, match="WordPiece"):
        prune_vocabulary(tokenizer("WordPiece"), ["latin"])
