"""A bounded memory of what was encoded."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Encoded = TypeVar("Encoded")


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheStatistics:
    """How a cache has fared.

    Attributes:
        hits: Look-ups answered.
        misses: Look-ups not answered.
        entries: Encodings held now.
        held_bytes: Their size, keys included.
    """

    hits: int
    misses: int
    entries: int
    held_bytes: int


class EmbeddingCache(Generic[Key, Encoded]):
    """Least recently used encodings up to a number of bytes; safe for several threads.

    Args:
        max_bytes: Bound on the sum of sizes; 0 keeps nothing.
        size_of: Bytes of an entry, from its key and value.
    """

    def __init__(self, max_bytes: int, size_of: Callable[[Key, Encoded], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._entries: OrderedDict[Key, tuple[Encoded, int]] = OrderedDict()
        self._lock = Lock()
        self._held_bytes = 0
        self._hits = 0
        self._misses = 0

    def get(self, key: Key) -> Encoded | None:
        """The encoding under a key, or None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self._misses += 1
                return None
            self._hits += 1
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Key, encoded: Encoded) -> None:
        """Remember an encoding, forgetting the longest unused; too large ones are not kept."""
        size = self._size_of(key, encoded)
        if size > self._max_bytes:
            return
        with self._lock:
            replaced = self._entries.pop(key, None)
            self._held_bytes += size - (replaced[1] if replaced else 0)
            self._entries[key] = (encoded, size)
            while self._held_bytes > self._max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self._held_bytes -= freed

    def statistics(self) -> CacheStatistics:
        """Counts since the start."""
        with self._lock:
            return CacheStatistics(
                hits=self._hits,
                misses=self._misses,
                entries=len(self._entries),
                held_bytes=self._held_bytes,
            )
