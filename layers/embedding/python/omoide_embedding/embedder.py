"""The embedder port over a model folder."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from omoide.domain.model_profile import ModelProfile
from omoide.ports.embedder import Passage, PassageEncoding, QueryEncoding
from omoide_embedding.embedding_cache import CacheStatistics, EmbeddingCache
from omoide_embedding.encoder import Encoder
from omoide_embedding.model_folder import read_model_folder

DEFAULT_CACHE_BYTES: Final = 64 * 1024 * 1024
_ENTRY_OVERHEAD_BYTES: Final = 700


@dataclass(frozen=True, slots=True)
class _Key:
    revision: str
    kind: str
    text: str
    context: str


class OnnxEmbedder:
    """Encodes texts with an ONNX model from a folder; implements ``Embedder``.

    Nothing heavy happens before the first text: the graph and the tokenizer are loaded then, once,
    whichever thread comes first.

    Args:
        folder: Holds ``model.onnx``, ``tokenizer.json`` and ``embed.json``.
        threads: Threads one run of the model may use.
        cache_bytes: Bound of the memory of recent encodings; 0 switches it off.

    Raises:
        ModelUnavailableError: The folder lacks a file, or ``embed.json`` is wrong.
    """

    def __init__(
        self, folder: Path, *, threads: int = 1, cache_bytes: int = DEFAULT_CACHE_BYTES
    ) -> None:
        self._folder = read_model_folder(folder)
        self._threads = threads
        self._loading = Lock()
        self._encoder: Encoder | None = None
        self._cache_bytes = cache_bytes
        self._cache: EmbeddingCache[_Key, PassageEncoding | QueryEncoding] = EmbeddingCache(
            cache_bytes, _entry_bytes
        )

    @property
    def profile(self) -> ModelProfile:
        """Identity and measured constants of the model; does not load the model."""
        return self._folder.profile

    @property
    def cache_statistics(self) -> CacheStatistics:
        """Hits and misses of the memory of recent encodings."""
        return self._cache.statistics()

    def load(self) -> None:
        """Load the model now rather than with the first text.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        self._loaded()

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Encode texts to be stored, in order.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        keys = [self._key("passage", passage.text, passage.context) for passage in passages]
        found = self._cached(keys)
        missing = {
            key: passage for key, passage in zip(keys, passages, strict=True) if key not in found
        }
        if missing:
            encodings = self._loaded().passages(list(missing.values()))
            for key, encoding in zip(missing, encodings, strict=True):
                _freeze(encoding.vectors, encoding.token_bits)
                self._cache.put(key, encoding)
                found[key] = encoding
        return [found[key] for key in keys]

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode one query.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        key = self._key("query", text, "")
        known = self._cache.get(key) if self._cache_bytes else None
        if isinstance(known, QueryEncoding):
            return known
        encoding = self._loaded().query(text)
        _freeze(encoding.vector, encoding.tokens, encoding.weights)
        self._cache.put(key, encoding)
        return encoding

    def count_tokens(self, text: str) -> int:
        """Number of pieces of the text, special tokens and prefix not counted.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        return self._loaded().count_tokens(text)

    def _cached(self, keys: Sequence[_Key]) -> dict[_Key, PassageEncoding]:
        if not self._cache_bytes:
            return {}
        known = {key: self._cache.get(key) for key in dict.fromkeys(keys)}
        return {key: one for key, one in known.items() if isinstance(one, PassageEncoding)}

    def _key(self, kind: str, text: str, context: str) -> _Key:
        return _Key(self.profile.revision, kind, text, context)

    def _loaded(self) -> Encoder:
        encoder = self._encoder
        if encoder is None:
            with self._loading:
                encoder = self._encoder
                if encoder is None:
                    encoder = self._encoder = Encoder.load(self._folder, self._threads)
        return encoder


def _entry_bytes(key: _Key, encoded: PassageEncoding | QueryEncoding) -> int:
    size = _ENTRY_OVERHEAD_BYTES + sys.getsizeof(key.text) + sys.getsizeof(key.context)
    if isinstance(encoded, PassageEncoding):
        return size + encoded.vectors.nbytes + encoded.token_bits.nbytes
    vector_bytes = 0 if encoded.vector is None else encoded.vector.nbytes
    return size + vector_bytes + encoded.tokens.nbytes + encoded.weights.nbytes


def _freeze(*arrays: NDArray[np.generic] | None) -> None:
    for array in arrays:
        if array is not None:
            array.setflags(write=False)
