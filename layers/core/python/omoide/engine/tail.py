"""The newest rows of a namespace: arrays in memory that grow, scanned without sorting."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide.engine.codec import Body, read_body, read_headers
from omoide.engine.growable import Growable, GrowingPostings, GrowingStrings
from omoide.engine.part import COLUMN_KINDS, Columns, Part, TurnOrder, summary_of
from omoide.engine.text import text_hash

_ROW_BYTES = 110
"""Of one row beside the arrays: its id and its place in the order of turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    """A row as it comes from a store.

    Attributes:
        vid: Its place in the order of commits.
        memory_id: The memory.
        blob: Its scoring data, `omoide.engine.codec.encode`.
        body: What follows the header of the blob, where it was read before.
    """

    vid: int
    memory_id: str
    blob: bytes
    body: Body | None = None


class Tail:
    """Rows as they arrive.

    Args:
        revision: Rows of another revision get no vectors.
        dims: Length of a vector.
    """

    def __init__(self, *, revision: str, dims: int) -> None:
        self._revision = revision
        self._dims = dims
        self._columns: dict[str, Growable[Any]] = {
            name: Growable(kind) for name, kind in COLUMN_KINDS.items()
        }
        self._ids: list[str] = []
        self._texts = tuple(GrowingStrings() for _ in range(4))
        self._vectors = Growable(np.float16, dims)
        self._vector_rows = Growable(np.int64)
        self._token_bits = Growable(np.uint8, dims // 8)
        self._token_starts = Growable(np.int64)
        self._token_starts.extend(np.zeros(1, dtype=np.int64))
        self._terms = GrowingPostings()
        self._tags = GrowingPostings()

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def allocated_bytes(self) -> int:
        """Memory taken, about; the order of turns in a snapshot included."""
        growing = (
            *(*self._columns.values(), *self._texts, self._terms, self._tags),
            *(self._vectors, self._vector_rows, self._token_bits, self._token_starts),
        )
        return sum(a.allocated_bytes for a in growing) + _ROW_BYTES * len(self._ids)

    def extend(self, rows: Sequence[StoredRow]) -> None:
        """Append rows, their vids ascending and above all former ones.

        Raises:
            IncompatibleDataError: A row was written by a newer program.
        """
        if not rows:
            return
        headers = read_headers([row.blob for row in rows])
        bodies = [
            row.body or read_body(header, row.blob)
            for header, row in zip(headers, rows, strict=True)
        ]
        own_lengths, context_lengths = self._extend_terms(bodies)
        given: dict[str, NDArray[Any]] = {
            "vid": np.array([row.vid for row in rows], dtype=np.int64),
            "own_length": own_lengths,
            "context_length": context_lengths,
        }
        for name, column in self._columns.items():
            column.extend(given[name] if name in given else headers[name])
        self._extend_tags(bodies)
        self._extend_vectors(bodies)
        for place, column in enumerate(self._texts, start=1):
            column.extend([body.texts[place] for body in bodies])
        self._ids.extend(row.memory_id for row in rows)

    def snapshot(self) -> Part:
        """The rows so far, as a part that does not change when more come."""
        columns = Columns(**{name: column.view() for name, column in self._columns.items()})
        session, speaker, agent, user = (column.view() for column in self._texts)
        return Part(
            revision=self._revision,
            columns=columns,
            ids=self._ids,
            session=session,
            speaker=speaker,
            agent=agent,
            user=user,
            vectors=self._vectors.view(),
            vector_rows=self._vector_rows.view(),
            token_bits=self._token_bits.view(),
            token_starts=self._token_starts.view(),
            terms=self._terms.view(),
            tags=self._tags.view(),
            turns=TurnOrder.of(session, columns.turn),
            summary=summary_of(columns, self._vector_rows.view()),
        )

    def _extend_terms(self, bodies: Sequence[Body]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        counts = [len(body.keys) for body in bodies]
        rows = np.repeat(np.arange(len(bodies), dtype=np.int64), counts)
        own = np.concatenate([body.own for body in bodies])
        both = own.astype(np.int64) + np.concatenate([body.context for body in bodies])
        self._terms.extend(
            np.concatenate([body.keys for body in bodies]),
            rows + len(self._ids),
            own,
            np.minimum(both, 255).astype(np.uint8),
        )
        return (
            np.bincount(rows, weights=own, minlength=len(bodies)).astype(np.int64),
            np.bincount(rows, weights=both, minlength=len(bodies)).astype(np.int64),
        )

    def _extend_tags(self, bodies: Sequence[Body]) -> None:
        tagged = [
            (text_hash(tag), row)
            for row, body in enumerate(bodies, start=len(self._ids))
            for tag in dict.fromkeys(body.tags)
        ]
        ones = np.ones(len(tagged), dtype=np.uint8)
        self._tags.extend(
            np.array([key for key, _ in tagged], dtype=np.uint64),
            np.array([row for _, row in tagged], dtype=np.int64),
            ones,
            ones,
        )

    def _extend_vectors(self, bodies: Sequence[Body]) -> None:
        no_vectors = np.zeros((0, self._dims), dtype=np.float16)
        no_bits = np.zeros((0, self._dims // 8), dtype=np.uint8)
        is_ours = [
            body.texts[0] == self._revision and body.vectors.shape[1] == self._dims
            for body in bodies
        ]
        vectors = [
            b.vectors if ours else no_vectors for b, ours in zip(bodies, is_ours, strict=True)
        ]
        bits = [b.token_bits if ours else no_bits for b, ours in zip(bodies, is_ours, strict=True)]
        rows = np.arange(len(self._ids), len(self._ids) + len(bodies), dtype=np.int64)
        self._vectors.extend(np.concatenate(vectors))
        self._vector_rows.extend(np.repeat(rows, [len(v) for v in vectors]))
        ends = np.cumsum([len(b) for b in bits], dtype=np.int64)
        self._token_starts.extend(ends + len(self._token_bits))
        self._token_bits.extend(np.concatenate(bits))
