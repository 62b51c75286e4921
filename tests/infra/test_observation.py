"""Measuring the embedding model."""

from collections.abc import Sequence

from infra.local.metrics import Metrics
from infra.local.observation import ObservedEmbedder
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.ports.embedder import Passage, PassageEncoding, QueryEncoding
from omoide_embedding.embedding_cache import CacheStatistics


class Remembering(FakeEmbedder):
    """Counts look-ups as a cache would."""

    def __init__(self) -> None:
        super().__init__()
        self.known: set[str] = set()
        self.hits = 0
        self.misses = 0

    @property
    def cache_statistics(self) -> CacheStatistics:
        return CacheStatistics(hits=self.hits, misses=self.misses, entries=0, held_bytes=0)

    def embed_query(self, text: str) -> QueryEncoding:
        self._look_up(text)
        return super().embed_query(text)

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        for passage in passages:
            self._look_up(passage.text)
        return super().embed_passages(passages)

    def _look_up(self, text: str) -> None:
        self.hits += text in self.known
        self.misses += text not in self.known
        self.known.add(text)


def lines(metrics: Metrics) -> list[str]:
    return metrics.exposition().decode().splitlines()


def test_hits_and_misses_are_counted_and_only_the_models_own_calls_are_timed():
    metrics = Metrics()
    embedder = ObservedEmbedder(Remembering(), metrics)

    for text in ("a", "b", "a", "a"):
        embedder.embed_query(text)
    embedder.embed_passages([Passage(text="c"), Passage(text="a")])

    told = lines(metrics)
    assert 'omoide_embedding_cache_total{result="hit"} 3.0' in told
    assert 'omoide_embedding_cache_total{result="miss"} 3.0' in told
    assert 'omoide_embedding_seconds_count{kind="query"} 2.0' in told
    assert 'omoide_embedding_seconds_count{kind="passage"} 1.0' in told


def test_without_a_cache_every_call_is_timed():
    metrics = Metrics()
    embedder = ObservedEmbedder(FakeEmbedder(), metrics)

    embedder.embed_query("a")
    embedder.embed_query("a")

    assert 'omoide_embedding_seconds_count{kind="query"} 2.0' in lines(metrics)


def test_it_says_what_the_embedder_says():
    inner = FakeEmbedder()
    observed = ObservedEmbedder(inner, Metrics())

    assert observed.profile == inner.profile
    assert observed.count_tokens("one two") == inner.count_tokens("one two")
    assert (observed.embed_query("x").weights == inner.embed_query("x").weights).all()
