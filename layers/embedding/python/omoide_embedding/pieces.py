"""Cutting text into pieces of a model's vocabulary, with their places in the text."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from omoide_embedding.revision import TOKENIZER_FILE
from omoide_embedding.unigram import UNIGRAM_FILE, UnigramSplitter, UnigramVocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_UNKNOWN_PIECES: Final = ("<unk>", "[UNK]", "<|unk|>")


_CONTROLS: Final = dict.fromkeys([*range(1, 9), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F], None)
"""Control characters that stand for nothing, as translated by ``str.translate``."""


def normalised_text(text: str) -> str:
    """NFKC without control characters, and a replacement character for lone surrogates."""
    if not text.isascii():
        whole = text.encode("utf-8", "replace").decode("utf-8")
        text = unicodedata.normalize("NFKC", whole)
    return text if text.isprintable() else text.translate(_CONTROLS)


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


class Splitter(Protocol):
    """Finds pieces and their places."""

    def split(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """Numbers, starts and ends of the pieces; places are characters of the text."""
        ...


class TokenizerSplitter:
    """Any ``tokenizer.json``, neither truncating nor padding.

    Args:
        tokenizer: The loaded file.
    """

    def __init__(self, tokenizer: "Tokenizer") -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer

    def split(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """Numbers, starts and ends of the pieces; places are characters of the text."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        starts, ends = (
            [start for start, _ in encoding.offsets],
            [end for _, end in encoding.offsets],
        )
        return encoding.ids, starts, ends


class PieceCutter:
    """Cuts texts for a model.

    Args:
        splitter: Finds the pieces.
        before: Numbers of the special pieces before a text.
        after: Those after it.
        unknown: Number of the piece for what the vocabulary does not cover, or -1.
    """

    def __init__(
        self, splitter: Splitter, *, before: Sequence[int], after: Sequence[int], unknown: int
    ) -> None:
        self._splitter = splitter
        self._before = np.array(before, np.int64)
        self._after = np.array(after, np.int64)
        self._unknown = unknown

    @classmethod
    def load(cls, folder: Path) -> "PieceCutter":
        """Open the vocabulary of a model folder."""
        if (folder / UNIGRAM_FILE).is_file():
            return cls.of_unigram(UnigramVocabulary.load(folder / UNIGRAM_FILE))
        from tokenizers import Tokenizer

        return cls.of_tokenizer(Tokenizer.from_file(str(folder / TOKENIZER_FILE)))

    @classmethod
    def of_unigram(cls, vocabulary: UnigramVocabulary) -> "PieceCutter":
        """A cutter over a unigram vocabulary."""
        return cls(
            UnigramSplitter(vocabulary),
            before=vocabulary.before,
            after=vocabulary.after,
            unknown=vocabulary.unknown,
        )

    @classmethod
    def of_tokenizer(cls, tokenizer: "Tokenizer") -> "PieceCutter":
        """A cutter over any tokenizer."""
        splitter = TokenizerSplitter(tokenizer)
        probe = tokenizer.encode("a")
        inner = [place for place, special in enumerate(probe.special_tokens_mask) if not special]
        first, last = (inner[0], inner[-1]) if inner else (0, -1)
        numbers = (tokenizer.token_to_id(piece) for piece in _UNKNOWN_PIECES)
        unknown = next((number for number in numbers if number is not None), -1)
        return cls(splitter, before=probe.ids[:first], after=probe.ids[last + 1 :], unknown=unknown)

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
        numbers, starts, ends = self._splitter.split(text)
        return Pieces(
            text=text,
            numbers=np.array(numbers, np.int64),
            starts=np.array(starts, np.int64),
            ends=np.array(ends, np.int64),
        )

    def count(self, pieces: Pieces) -> int:
        """Number of pieces, with one for each visible character that the vocabulary lacks.

        A unigram tokenizer joins a run of such characters to one piece, however long it is.
        """
        unknown = np.nonzero(pieces.numbers == self._unknown)[0]
        lost = sum(_visible(pieces.text[pieces.starts[i] : pieces.ends[i]]) for i in unknown)
        return len(pieces) - len(unknown) + lost

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
