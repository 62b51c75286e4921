"""Counting tokens for a budget."""

import math
import re
import unicodedata
from dataclasses import dataclass, field

from omoide.domain.errors import ModelUnavailableError
from omoide.ports.embedder import Embedder

_WORD = re.compile(r"[a-z]+|\S", re.IGNORECASE | re.ASCII)
_LETTERS_A_TOKEN = 3
"""Fewer than words have on average, so that an estimate is rather too much."""


@dataclass(slots=True, kw_only=True)
class TokenMeter:
    """Counts the tokens of one request, each text once.

    Attributes:
        embedder: Its tokenizer counts.
        factor: Tokens of the reader for each token of the embedding model.
        is_estimate: Whether the tokenizer was unavailable, so that tokens were estimated.
    """

    embedder: Embedder
    factor: float
    is_estimate: bool = False
    _known: dict[str, int] = field(default_factory=dict[str, int])

    def __call__(self, text: str) -> int:
        """Tokens that a reader needs for a text, rounded up."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = math.ceil(self._count(text) * self.factor)
        return known

    def _count(self, text: str) -> int:
        if not self.is_estimate:
            try:
                return self.embedder.count_tokens(text)
            except ModelUnavailableError:
                self.is_estimate = True
                self._known.clear()
        return _estimate(text)


def _estimate(text: str) -> int:
    """A token for every three letters of a Latin word, one for every other character."""
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    return sum(-(-len(word) // _LETTERS_A_TOKEN) for word in words)
