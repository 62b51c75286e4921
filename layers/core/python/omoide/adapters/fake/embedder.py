"""A deterministic embedder without a model: texts that share words are close."""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import ModelProfile, Scale
from omoide.ports.embedder import MAX_CHUNKS, Passage, PassageEncoding, QueryEncoding

_PIECES = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\ue000-\uf8ff]|[^\W_]+", re.UNICODE)
_UNKNOWN = re.compile(r"[\ue000-\uf8ff]")
_MAXIMUM_UNKNOWN_SHARE = 0.3
_CONTEXT_WEIGHT = 0.1
_MAXIMUM_TOKENS = 1_024


class FakeEmbedder:
    """Hashes words to directions; a text lies where its words do.

    Private use characters (U+E000 to U+F8FF) are the words it does not know.

    Attributes:
        is_failing: While true, encoding raises `ModelUnavailableError`.
        encoded: Every text encoded so far, in order.

    Args:
        dims: Length of a vector, a multiple of 8.
        revision: Another revision gives other vectors.
        has_token_vectors: Whether it gives token vectors.
        chunk_pieces: Texts of more pieces are cut into several vectors.
    """

    def __init__(
        self,
        *,
        dims: int = 64,
        revision: str = "fake-1",
        has_token_vectors: bool = True,
        chunk_pieces: int = 256,
    ) -> None:
        self.is_failing = False
        self.encoded: list[str] = []
        self._chunk_pieces = chunk_pieces
        self._profile = ModelProfile(
            model_id="fake",
            revision=revision,
            dims=dims,
            max_tokens=chunk_pieces + 2,
            has_token_vectors=has_token_vectors,
            dense=Scale(floor=0.2, ceiling=0.9),
            dense_cross_script=Scale(floor=0.2, ceiling=0.9),
            late=Scale(floor=0.2, ceiling=0.8),
            late_cross_script=Scale(floor=0.2, ceiling=0.8),
        )

    @property
    def profile(self) -> ModelProfile:
        """Identity and constants."""
        return self._profile

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Encode texts to be stored, in order.

        Raises:
            ModelUnavailableError: `is_failing` is set.
        """
        return [self._embed_passage(passage) for passage in passages]

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode one query.

        Raises:
            ModelUnavailableError: `is_failing` is set.
        """
        self._remember(text)
        pieces = _pieces(text)
        unknown_share = _unknown_share(pieces)
        is_foreign = not pieces or unknown_share > _MAXIMUM_UNKNOWN_SHARE
        tokens = self._directions([] if is_foreign else pieces)
        if not self._profile.has_token_vectors:
            tokens = tokens[:0]
        return QueryEncoding(
            vector=None if is_foreign else _pooled(self._directions(pieces)),
            tokens=tokens,
            weights=np.ones(len(tokens), dtype=np.float32),
            unknown_share=unknown_share,
        )

    def count_tokens(self, text: str) -> int:
        """Number of pieces."""
        return len(_pieces(text))

    def _embed_passage(self, passage: Passage) -> PassageEncoding:
        self._remember(passage.text)
        pieces = _pieces(passage.text)
        unknown_share = _unknown_share(pieces)
        if not pieces or unknown_share > _MAXIMUM_UNKNOWN_SHARE:
            return self._encoding(self._directions([]), self._directions([]), unknown_share)
        directions = self._directions(pieces)
        step = self._chunk_pieces
        chunks = [directions[i : i + step] for i in range(0, len(pieces), step)]
        if len(chunks) > MAX_CHUNKS:
            chunks = [*chunks[:MAX_CHUNKS], directions[-step:]]
        context = self._directions(_pieces(passage.context)[-128:]) * _CONTEXT_WEIGHT
        chunks[0] = np.concatenate([chunks[0], context])
        return self._encoding(np.stack([_pooled(c) for c in chunks]), directions, unknown_share)

    def _encoding(
        self, vectors: NDArray[np.float32], tokens: NDArray[np.float32], unknown_share: float
    ) -> PassageEncoding:
        kept = tokens[:_MAXIMUM_TOKENS] if self._profile.has_token_vectors else tokens[:0]
        return PassageEncoding(
            vectors=vectors,
            token_bits=np.packbits(kept > 0, axis=1),
            unknown_share=unknown_share,
        )

    def _directions(self, pieces: Sequence[str]) -> NDArray[np.float32]:
        profile = self._profile
        if not pieces:
            return np.zeros((0, profile.dims), dtype=np.float32)
        return np.stack([_direction(piece, profile.dims, profile.revision) for piece in pieces])

    def _remember(self, text: str) -> None:
        if self.is_failing:
            raise ModelUnavailableError
        self.encoded.append(text)


def _pieces(text: str) -> list[str]:
    return _PIECES.findall(text.casefold())


def _unknown_share(pieces: Sequence[str]) -> float:
    return sum(_UNKNOWN.search(p) is not None for p in pieces) / len(pieces) if pieces else 0.0


@lru_cache(maxsize=16_384)
def _direction(piece: str, dims: int, revision: str) -> NDArray[np.float32]:
    digest = hashlib.sha256(f"{revision}:{piece}".encode()).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:8], "little"))
    vector = generator.standard_normal(dims, dtype=np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def _pooled(directions: NDArray[np.float32]) -> NDArray[np.float32]:
    total = directions.sum(axis=0, dtype=np.float32)
    return total / np.float32(max(float(np.linalg.norm(total)), 1e-9))
