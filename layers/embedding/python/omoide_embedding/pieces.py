"""Cutting text into pieces of a model's vocabulary, with their places in the text."""

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_UNKNOWN_PIECES: Final = ("<unk>", "[UNK]", "<|unk|>")


def normalised_text(text: str) -> str:
    """NFKC, and a replacement character for lone surrogates, as all text is encoded."""
    if text.isascii():
        return text
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """A text in pieces, special ones not included.

    Attributes:
        text: What was cut.
        numbers: ``(n,)`` int64, the numbers of the pieces.
        starts: ``(n,)`` int64, where each piece begins in the text, in characters.
        ends: ``(n,)`` int64, where it ends.
    """

    text: str
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.numbers)


class PieceCutter:
    """A tokenizer that neither truncates nor pads.

    Args:
        tokenizer: A loaded ``tokenizer.json``.
    """

    def __init__(self, tokenizer: "Tokenizer") -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        probe = tokenizer.encode("a")
        inner = [place for place, special in enumerate(probe.special_tokens_mask) if not special]
        first, last = (inner[0], inner[-1]) if inner else (0, -1)
        self._before = np.array(probe.ids[:first], np.int64)
        self._after = np.array(probe.ids[last + 1 :], np.int64)
        numbers = (tokenizer.token_to_id(piece) for piece in _UNKNOWN_PIECES)
        self._unknown = next((number for number in numbers if number is not None), -1)

    @classmethod
    def load(cls, file: Path) -> "PieceCutter":
        """Read a ``tokenizer.json``."""
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_file(str(file)))

    @property
    def special_count(self) -> int:
        """Pieces the model wants around a text."""
        return len(self._before) + len(self._after)

    @property
    def leading_count(self) -> int:
        """Pieces the model wants before a text."""
        return len(self._before)

    def cut(self, text: str) -> Pieces:
        """Cut a text that is already normalised."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        places = np.array(encoding.offsets, np.int64).reshape(-1, 2)
        return Pieces(
            text=text,
            numbers=np.array(encoding.ids, np.int64),
            starts=places[:, 0],
            ends=places[:, 1],
        )

    def model_input(self, pieces: Pieces, max_tokens: int) -> NDArray[np.int64]:
        """Piece numbers ``(n,)`` with the special ones around, cut to the model's window."""
        room = max_tokens - self.special_count
        return np.concatenate([self._before, pieces.numbers[:room], self._after])

    def unknown_share(self, pieces: Pieces) -> float:
        """Share of the characters, white space apart, that the vocabulary does not cover.

        Counted in characters because a unigram tokenizer joins a run of unknown ones to one piece.
        """
        unknown = np.nonzero(pieces.numbers == self._unknown)[0]
        if not len(unknown):
            return 0.0
        lost = sum(_visible(pieces.text[pieces.starts[i] : pieces.ends[i]]) for i in unknown)
        return lost / max(1, _visible(pieces.text))


def _visible(text: str) -> int:
    return sum(not character.isspace() for character in text)
