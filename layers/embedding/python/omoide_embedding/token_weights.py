"""How much each piece of a vocabulary counts in the late interaction.

Unigram tokenizers carry log probabilities: ``w = max(0, -logprob - 4)``, so that pieces more
frequent than about 1 in 55 count nothing and rare ones most, as inverse document frequencies do
(Robertson 2004) without any statistics of the user's texts. Other tokenizers take a file, or 1 for
each piece that holds a letter or digit. Stop words count 0 everywhere.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.stop_words import STOP_WORDS
from omoide_embedding.revision import TOKENIZER_FILE, WEIGHTS_FILE, WEIGHTS_JSON_FILE

_FREE_LOG_PROBABILITY: Final = 4.0
_WORD_START: Final = "▁"
_CONTINUATION: Final = "##"


def unigram_weights(pieces: Sequence[str], scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weights of unigram pieces ``(pieces,)`` from their log probabilities ``(pieces,)``.

    Special pieces have probability 1 and so weigh 0.
    """
    weights = np.maximum(0, -scores.astype(np.float32) - _FREE_LOG_PROBABILITY)
    return _without_stop_words(pieces, weights)


def plain_weights(pieces: Sequence[str]) -> NDArray[np.float32]:
    """1 for each piece ``(pieces,)`` with a letter or digit outside stop words, else 0."""
    weights = np.array([_has_letter_or_digit(piece) for piece in pieces], np.float32)
    return _without_stop_words(pieces, weights)


def tokenizer_weights(tokenizer: bytes) -> NDArray[np.float32]:
    """Weights ``(pieces,)`` from the content of a ``tokenizer.json``."""
    document: dict[str, Any] = json.loads(tokenizer)
    model: dict[str, Any] = document["model"]
    pieces = _pieces(model)
    if model["type"] == "Unigram":
        return unigram_weights(pieces, np.array([score for _, score in model["vocab"]], np.float32))
    special = {token["content"] for token in document.get("added_tokens", ())}
    return plain_weights(["" if piece in special else piece for piece in pieces])


def read_token_weights(folder: Path) -> NDArray[np.float32]:
    """Weights of a model folder ``(pieces,)``: from its own file, else from its tokenizer.

    Raises:
        ModelUnavailableError: A file is malformed.
    """
    try:
        if (folder / WEIGHTS_FILE).is_file():
            return np.load(folder / WEIGHTS_FILE, allow_pickle=False).astype(np.float32)
        tokenizer = (folder / TOKENIZER_FILE).read_bytes()
        if (folder / WEIGHTS_JSON_FILE).is_file():
            given: Any = json.loads((folder / WEIGHTS_JSON_FILE).read_text(encoding="utf-8"))
            return _given_weights(_pieces(json.loads(tokenizer)["model"]), given)
        return tokenizer_weights(tokenizer)
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise ModelUnavailableError(f"the token weights of {folder} cannot be read") from error


def _pieces(model: dict[str, Any]) -> list[str]:
    if model["type"] != "Unigram":
        numbers: dict[str, int] = model["vocab"]
        pieces = [""] * (1 + max(numbers.values()))
        for piece, number in numbers.items():
            pieces[number] = piece
        return pieces
    scored: list[tuple[str, float]] = model["vocab"]
    return [piece for piece, _ in scored]


def _given_weights(
    pieces: Sequence[str], given: list[float] | dict[str, float]
) -> NDArray[np.float32]:
    if isinstance(given, list):
        return np.array(given, np.float32)
    defaults = plain_weights(pieces)
    listed = (given.get(piece, default) for piece, default in zip(pieces, defaults, strict=True))
    return np.fromiter(listed, np.float32, len(pieces))


def _without_stop_words(pieces: Iterable[str], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    stopped = [piece.removeprefix(_WORD_START) in STOP_WORDS for piece in pieces]
    return np.where(np.array(stopped, bool), np.float32(0), weights).astype(np.float32)


def _has_letter_or_digit(piece: str) -> bool:
    bare = piece.removeprefix(_CONTINUATION)
    return any(character.isalnum() for character in bare)
