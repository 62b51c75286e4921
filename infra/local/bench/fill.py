"""Filling a folder below the embedder: vectors of real texts, perturbed with a fixed seed.

Encoding 100,000 texts would take an hour and say nothing of search. Each memory gets the encoding
of one of a few thousand real texts, moved a little, so that vectors are spread as real ones are
and no two are equal. Records, terms and index are the product's own.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from omoide.domain.identity import uuid7
from omoide.domain.memory import Memory, MemoryType
from omoide.domain.model_profile import ModelProfile
from omoide.ports.embedder import Embedder, Passage, PassageEncoding, QueryEncoding
from omoide.ports.memory_records import MemoryChange, MemoryRecords
from omoide.services.scoring import InContext, score

SEED = 20_240_229
_NOISE = 0.35
"""Length of the noise relative to the vector: cosine of about .94 to the text's own vector."""

_FLIPPED = 0.04
"""Share of token sign bits that are turned."""

_TOGETHER = 500
_TYPES = tuple(MemoryType)


class PerturbedEncodings:
    """An embedder that hands out prepared encodings, moved a little, one after the other.

    Args:
        embedder: Gives the profile.
        encodings: Of real texts.
    """

    def __init__(self, embedder: Embedder, encodings: Sequence[PassageEncoding]) -> None:
        self._embedder = embedder
        self._encodings = encodings
        self._random = np.random.default_rng(SEED)
        self._next = 0

    @property
    def profile(self) -> ModelProfile:
        """Of the model the encodings came from."""
        return self._embedder.profile

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """The next encodings, whatever the texts say."""
        return [self._perturbed() for _ in passages]

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode a query with the model."""
        return self._embedder.embed_query(text)

    def count_tokens(self, text: str) -> int:
        """Count with the model."""
        return self._embedder.count_tokens(text)

    def _perturbed(self) -> PassageEncoding:
        encoding = self._encodings[self._next % len(self._encodings)]
        self._next += 1
        shape = encoding.vectors.shape
        noise = self._random.standard_normal(shape, dtype=np.float32)
        noise *= _NOISE / np.sqrt(shape[1])
        vectors = encoding.vectors + noise
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        bits = encoding.token_bits.copy()
        where = self._random.random(bits.size) < _FLIPPED * 8
        turned = self._random.integers(0, 8, bits.size, dtype=np.uint8)
        bits.ravel()[where] ^= (np.uint8(1) << turned[where]).astype(np.uint8)
        return PassageEncoding(vectors=vectors, token_bits=bits, unknown_share=0.0)


def fill(
    records: MemoryRecords,
    encodings: PerturbedEncodings,
    texts: Sequence[str],
    *,
    begin: int,
    end: int,
    advanced: Callable[[int], None],
    together: int = _TOGETHER,
) -> None:
    """Commit memories ``begin`` to ``end`` as the records take them.

    Args:
        records: Where to.
        encodings: One for each memory.
        texts: The texts behind the encodings, in the same order; each memory adds its number.
        begin: Number of the first.
        end: Number after the last.
        advanced: Called with how many more are committed.
        together: How many are committed in one transaction.
    """
    random = np.random.default_rng(SEED + begin)
    for first in range(begin, end, together):
        numbers = range(first, min(first + together, end))
        memories = [_memory(number, texts, random) for number in numbers]
        scorings = score(encodings, [InContext(memory=memory) for memory in memories])
        records.commit_all(
            [
                MemoryChange(memory=memory, expected_version=None, scoring=scoring)
                for memory, scoring in zip(memories, scorings, strict=True)
            ]
        )
        advanced(len(numbers))


def _memory(number: int, texts: Sequence[str], random: np.random.Generator) -> Memory:
    at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=7 * number)
    return Memory(
        id=str(uuid7(at, random.bytes(10))),
        namespace="default",
        content=f"{texts[number % len(texts)]} ({number})",
        created_at=at,
        updated_at=at,
        stored_at=at,
        event_time=at,
        memory_type=_TYPES[number % len(_TYPES)],
        tags=(f"tag{number % 37}",),
        session_id=f"session-{number // 40}",
        turn=number % 40,
    )
