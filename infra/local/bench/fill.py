"""Filling a folder below the embedder: vectors of real texts, perturbed with a fixed seed.

Encoding 100,000 texts would take an hour and say nothing of search. Each memory gets the encoding
and the terms of one of a few thousand real texts and its own number as one more term; vectors and
token bits are moved a little, so that vectors are spread as real ones are and no two are equal.
Records and index are the product's own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from omoide.domain.analysis import analyse
from omoide.domain.identity import uuid7
from omoide.domain.memory import Memory, MemoryType
from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.ports.embedder import Embedder, Passage, PassageEncoding, QueryEncoding
from omoide.ports.memory_records import MemoryChange, MemoryRecords
from omoide.services.scoring import InContext, score, with_columns_of

SEED = 20_240_229
NAMESPACE = "default"
_NOISE = 0.35
"""Length of the noise relative to the vector: cosine of about .94 to the text's own vector."""

_FLIPPED = 0.04
"""Share of token sign bits that are turned."""

CHUNK = 500
"""Memories committed together."""

_TYPES = tuple(MemoryType)
_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)


class PerturbedTexts:
    """Changes that store real texts again and again, a little different each time.

    Args:
        embedder: Gives the profile.
        texts: Real texts.
        encodings: Theirs, in the same order.
    """

    def __init__(
        self, embedder: Embedder, texts: Sequence[str], encodings: Sequence[PassageEncoding]
    ) -> None:
        self._texts = texts
        known = _KnownEncodings(embedder, dict(zip(texts, encodings, strict=True)))
        memories = [_memory(number, text, NAMESPACE) for number, text in enumerate(texts)]
        self._scorings = score(known, [InContext(memory=memory) for memory in memories])

    def changes(self, namespace: str, numbers: range) -> list[MemoryChange]:
        """Changes that create memories; the same for the same numbers.

        Args:
            namespace: Where the memories are stored.
            numbers: Theirs; no two memories of a folder may share one.
        """
        random = np.random.default_rng((SEED, numbers.start))
        return [self._change(namespace, number, random) for number in numbers]

    def _change(self, namespace: str, number: int, random: np.random.Generator) -> MemoryChange:
        place = number % len(self._texts)
        memory = _memory(number, f"{self._texts[place]} ({number})", namespace)
        known = self._scorings[place]
        scoring = replace(
            known,
            memory_id=memory.id,
            namespace=namespace,
            vectors=moved(known.vectors, random),
            token_bits=turned(known.token_bits, random),
            own_terms=_with_number(known, number),
        )
        return MemoryChange(
            memory=memory, expected_version=None, scoring=with_columns_of(scoring, memory)
        )


class _KnownEncodings:
    """An embedder that looks texts up."""

    def __init__(self, embedder: Embedder, encodings: dict[str, PassageEncoding]) -> None:
        self.profile = embedder.profile
        self._encodings = encodings
        self._embedder = embedder

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """What is known of the texts."""
        return [self._encodings[passage.text] for passage in passages]

    def embed_query(self, text: str) -> QueryEncoding:
        """Encode a query with the model."""
        return self._embedder.embed_query(text)

    def count_tokens(self, text: str) -> int:
        """Count with the model."""
        return self._embedder.count_tokens(text)


def moved(vectors: NDArray[np.float16], random: np.random.Generator) -> NDArray[np.float16]:
    """Unit vectors ``(chunks, dims)`` at a cosine of about .94 to those given."""
    noise = random.standard_normal(vectors.shape, dtype=np.float32)
    noise *= _NOISE / np.sqrt(vectors.shape[1])
    noise += vectors
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    return noise.astype(np.float16)


def turned(bits: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    """The sign bits ``(tokens, dims // 8)`` with some of them turned."""
    other = bits.copy()
    count = round(bits.size * _FLIPPED * 8)
    places = random.integers(0, max(1, bits.size), count)
    shifts = random.integers(0, 8, count, dtype=np.uint8)
    other.ravel()[places] ^= (np.uint8(1) << shifts).astype(np.uint8)
    return other


def fill(
    records: MemoryRecords,
    texts: PerturbedTexts,
    *,
    begin: int,
    end: int,
    namespace: str = NAMESPACE,
    advanced: Callable[[int], None],
    together: int = CHUNK,
) -> None:
    """Commit memories ``begin`` to ``end`` as the records take them.

    Args:
        records: Where to.
        texts: What they say.
        begin: Number of the first.
        end: Number after the last.
        namespace: Where they are stored.
        advanced: Called with how many more are committed.
        together: How many are committed in one transaction.
    """
    for numbers in chunks(begin, end, together):
        records.commit_all(texts.changes(namespace, numbers))
        advanced(len(numbers))


def chunks(begin: int, end: int, together: int = CHUNK) -> Iterator[range]:
    """Numbers in portions that are committed together."""
    for first in range(begin, end, together):
        yield range(first, min(first + together, end))


def _with_number(known: ScoringData, number: int) -> TermCounts:
    terms = analyse(str(number))
    keys = np.concatenate([known.own_terms.keys, terms.keys])
    counts = np.concatenate([known.own_terms.counts, terms.counts])
    distinct, places = np.unique(keys, return_index=True)
    return TermCounts(keys=distinct, counts=counts[places])


def _memory(number: int, content: str, namespace: str) -> Memory:
    at = _BEGIN + timedelta(minutes=7 * number)
    return Memory(
        id=str(uuid7(at, number.to_bytes(10, "big"))),
        namespace=namespace,
        content=content,
        created_at=at,
        updated_at=at,
        stored_at=at,
        event_time=at,
        memory_type=_TYPES[number % len(_TYPES)],
        tags=(f"tag{number % 37}",),
        session_id=f"session-{number // 40}",
        turn=number % 40,
    )
