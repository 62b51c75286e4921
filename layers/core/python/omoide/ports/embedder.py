"""Turning text into vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from omoide.domain.model_profile import ModelProfile

MAX_CHUNKS: Final = 32
"""Chunks from its beginning that a text is encoded in. Of a longer text its end is one chunk more,
and what lies between has no vectors: a text that is written to be slow is no slower."""


def no_spans() -> NDArray[np.int64]:
    """Spans of a query whose pieces are not known, ``(0, 2)``."""
    return np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text to be stored.

    Attributes:
        text: What is encoded, usually ``<speaker>: <content>``.
        context: The previous turn of the same session, or an empty string. Encoded before the
            text (its last 128 tokens, first chunk only); its own tokens are not kept.
    """

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageEncoding:
    """What a model says of a stored text.

    Attributes:
        vectors: ``(chunks, dims)`` float32, each row L2-normalised; ``(0, dims)`` when the text
            lies mostly outside the model's vocabulary. ``MAX_CHUNKS + 1`` rows exactly when its
            middle has none.
        token_bits: ``(tokens, dims // 8)`` uint8, the signs of the centred token vectors
            (``numpy.packbits``, big bit order), at most 1,024 rows; ``(0, dims // 8)`` for models
            without token vectors.
        unknown_share: Share of pieces unknown to the vocabulary, 0..1.
    """

    vectors: NDArray[np.float32]
    token_bits: NDArray[np.uint8]
    unknown_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryEncoding:
    """What a model says of a query.

    Attributes:
        vector: ``(dims,)`` float32, L2-normalised; None when the query lies mostly outside the
            model's vocabulary.
        tokens: ``(n, dims)`` float32, centred and L2-normalised token vectors without special
            tokens and prefix; ``(0, dims)`` for models without token vectors.
        weights: ``(n,)`` float32, the weight of each token vector, not all zero.
        unknown_share: Share of pieces unknown to the vocabulary, 0..1.
        text: The query as it was encoded, normalised.
        spans: ``(n, 2)`` int64, where the piece of each token vector begins and ends in that
            text, in characters; ``(0, 2)`` where it is not known.
    """

    vector: NDArray[np.float32] | None
    tokens: NDArray[np.float32]
    weights: NDArray[np.float32]
    unknown_share: float
    text: str = ""
    spans: NDArray[np.int64] = field(default_factory=no_spans)


class Embedder(Protocol):
    """A text embedding model.

    Equal texts give equal vectors, alone or in any batch (cosine >= .9999). Nothing is
    downloaded. Safe to call from several threads.
    """

    @property
    def profile(self) -> ModelProfile:
        """Identity and measured constants of the model; does not load the model."""
        ...

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Encode texts to be stored, in order.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        ...

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode one query.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Number of pieces of the text, special tokens and prefix not counted.

        Each character outside the vocabulary counts as one.
        """
        ...
