"""The pool of memories a search engine nominates, as arrays the ranking works on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omoide.domain.memory_filter import MemoryFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class NominationRequest:
    """What a search asks of an engine.

    Attributes:
        namespace: Where to search.
        where: Every condition, applied inside the engine.
        vector: ``(dims,)`` float32 query vector; None skips the dense arm.
        terms: ``(q,)`` uint64 distinct query terms; empty skips the lexical arm.
        pool: How many ids each arm nominates.
        newest: How many of the newest memories (by ``event_time``, of equal ones the last written)
            join the pool.
        neighbours: Whether the turns beside those nominated by an arm join the pool: the greatest
            earlier and the smallest later turn of the session that satisfy the filter.
        revision: Revision of the embedding model; data of another revision has no vectors here.
    """

    namespace: str
    where: MemoryFilter
    vector: NDArray[np.float32] | None
    terms: NDArray[np.uint64]
    pool: int
    newest: int = 0
    neighbours: bool = True
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldStatistics:
    """BM25 statistics of one field over the indexed, undeleted records of a namespace.

    Attributes:
        document_count: Records of every status.
        average_length: Mean document length, 0 when there are none.
        document_frequency: ``(q,)`` float64, records holding each query term.
    """

    document_count: int
    average_length: float
    document_frequency: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """Nominated memories, ``n`` of them, in no particular order.

    Times are milliseconds since 1970 UTC; absent values are given with each field. All the facts a
    score needs are here, so that every engine leads to the same ranking.

    Attributes:
        ids: ``n`` memory ids.
        dense: ``(n,)`` float32 cosine of the query with the best chunk; NaN without vectors.
        by_dense: ``(n,)`` bool, nominated by the dense arm.
        by_lexical: ``(n,)`` bool, nominated by the lexical arm.
        own_counts: ``(n, q)`` uint8 occurrences of each query term in the memory.
        context_counts: ``(n, q)`` uint8 the same in memory and previous turn together.
        own_lengths: ``(n,)`` float32 length of the memory in terms.
        context_lengths: ``(n,)`` float32 length of memory and previous turn together.
        own: Statistics of the memories' own terms.
        context: Statistics of own and previous terms together.
        token_bits: ``(t, dims // 8)`` uint8 sign bits of all members, one after the other.
        token_offsets: ``(n + 1,)`` int64 where each member's rows of ``token_bits`` begin.
        sessions: ``n`` session ids or None.
        speakers: ``n`` speakers or None.
        turns: ``(n,)`` int64, -1 without a turn.
        asks: ``(n,)`` bool, the text contains a question mark.
        is_question: ``(n,)`` bool, the text ends in a question mark.
        changes: ``(n,)`` bool, the text tells that something has changed.
        tells_time: ``(n,)`` bool, the text speaks of a time.
        scripts: ``(n,)`` uint8 bit sets of `omoide.domain.analysis.Script`.
        memory_types: ``(n,)`` uint8 index into `MemoryType`.
        pinned: ``(n,)`` bool.
        resolved: ``(n,)`` bool.
        importance: ``(n,)`` float32.
        confidence: ``(n,)`` float32.
        arousal: ``(n,)`` float32, 0 when absent.
        valence: ``(n,)`` float32, 0 when absent.
        created_at: ``(n,)`` int64.
        event_time: ``(n,)`` int64.
        last_activated_at: ``(n,)`` int64, -1 when never.
        is_complete: False when the engine could not look at everything it should have.
    """

    ids: list[str]
    dense: NDArray[np.float32]
    by_dense: NDArray[np.bool_]
    by_lexical: NDArray[np.bool_]
    own_counts: NDArray[np.uint8]
    context_counts: NDArray[np.uint8]
    own_lengths: NDArray[np.float32]
    context_lengths: NDArray[np.float32]
    own: FieldStatistics
    context: FieldStatistics
    token_bits: NDArray[np.uint8]
    token_offsets: NDArray[np.int64]
    sessions: list[str | None]
    speakers: list[str | None]
    turns: NDArray[np.int64]
    asks: NDArray[np.bool_]
    is_question: NDArray[np.bool_]
    changes: NDArray[np.bool_]
    tells_time: NDArray[np.bool_]
    scripts: NDArray[np.uint8]
    memory_types: NDArray[np.uint8]
    pinned: NDArray[np.bool_]
    resolved: NDArray[np.bool_]
    importance: NDArray[np.float32]
    confidence: NDArray[np.float32]
    arousal: NDArray[np.float32]
    valence: NDArray[np.float32]
    created_at: NDArray[np.int64]
    event_time: NDArray[np.int64]
    last_activated_at: NDArray[np.int64]
    is_complete: bool = True
