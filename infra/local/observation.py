"""An embedding model whose work is measured."""

import threading
from collections.abc import Sequence
from time import perf_counter
from typing import Protocol, runtime_checkable

from infra.local.metrics import Metrics
from omoide.domain.model_profile import ModelProfile
from omoide.ports.embedder import Embedder, Passage, PassageEncoding, QueryEncoding


class Lookups(Protocol):
    """What a cache has counted since the start."""

    @property
    def hits(self) -> int:
        """Look-ups answered."""
        ...

    @property
    def misses(self) -> int:
        """Look-ups not answered."""
        ...


@runtime_checkable
class Caching(Protocol):
    """An embedder that remembers recent encodings."""

    @property
    def cache_statistics(self) -> Lookups:
        """Counts of its cache."""
        ...


class ObservedEmbedder:
    """Counts and times the calls of an embedder; implements ``Embedder``.

    A call that the cache answered in full takes no time worth counting and is left out of the
    times: it is told by the cache's own count of misses. (A miss of another thread in the same
    microseconds makes a hit pass for a call of the model; rare, and harmless in a histogram.)

    Args:
        embedder: Does the work.
        metrics: Where to count.
    """

    def __init__(self, embedder: Embedder, metrics: Metrics) -> None:
        self._embedder = embedder
        self._caching = embedder if isinstance(embedder, Caching) else None
        self._metrics = metrics
        self._lock = threading.Lock()
        self._told = (0, 0)

    @property
    def profile(self) -> ModelProfile:
        """Of the embedder."""
        return self._embedder.profile

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Encode texts to be stored.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        before, began = self._lookups(), perf_counter()
        encodings = self._embedder.embed_passages(passages)
        self._count("passage", before, perf_counter() - began)
        return encodings

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode one query.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        before, began = self._lookups(), perf_counter()
        encoding = self._embedder.embed_query(text)
        self._count("query", before, perf_counter() - began)
        return encoding

    def count_tokens(self, text: str) -> int:
        """Number of pieces of the text."""
        return self._embedder.count_tokens(text)

    def _lookups(self) -> tuple[int, int]:
        if self._caching is None:
            return (0, 0)
        counts = self._caching.cache_statistics
        return (counts.hits, counts.misses)

    def _count(self, kind: str, before: tuple[int, int], took_s: float) -> None:
        now = self._lookups()
        if now[1] > before[1] or now == before:
            self._metrics.embedding_seconds.labels(kind).observe(took_s)
        with self._lock:
            hits, misses = now[0] - self._told[0], now[1] - self._told[1]
            self._told = (max(now[0], self._told[0]), max(now[1], self._told[1]))
        if hits > 0:
            self._metrics.embedding_cache.labels("hit").inc(hits)
        if misses > 0:
            self._metrics.embedding_cache.labels("miss").inc(misses)
