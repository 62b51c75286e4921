from hypothesis import given
from hypothesis import strategies as st

from omoide_embedding.embedding_cache import EmbeddingCache


def test_what_was_not_used_longest_goes_first():
    cache: EmbeddingCache[str, int] = EmbeddingCache(30, lambda key, value: 10)
    for number, key in enumerate("abc"):
        cache.put(key, number)

    cache.get("a")
    cache.put("d", 3)

    assert [cache.get(key) for key in "abcd"] == [0, None, 2, 3]


def test_an_entry_larger_than_the_bound_is_not_kept():
    cache: EmbeddingCache[str, int] = EmbeddingCache(30, lambda key, value: 31)

    cache.put("a", 1)

    assert cache.statistics().held_bytes == 0


@given(
    st.integers(0, 100),
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 60)), max_size=60),
)
def test_the_bound_holds_whatever_is_put(bound: int, puts: list[tuple[int, int]]):
    cache: EmbeddingCache[int, int] = EmbeddingCache(bound, lambda key, value: value)
    sizes: dict[int, int] = {}

    for key, size in puts:
        cache.put(key, size)
        if size <= bound:
            sizes[key] = size

    statistics = cache.statistics()
    held = {key: value for key in range(10) if (value := cache.get(key)) is not None}
    assert statistics.held_bytes == sum(held.values()) <= bound
    assert statistics.entries == len(held)
