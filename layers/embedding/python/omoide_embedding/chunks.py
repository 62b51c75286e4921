"""What of a passage is encoded together: one chunk, or several with overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from omoide.ports.embedder import MAX_CHUNKS
from omoide_embedding.pieces import PieceCutter, Pieces

CONTEXT_TOKENS: Final = 128
"""Pieces of the previous turn that are encoded before a text; with the prefix at most half the
window."""

MAX_TOKEN_VECTORS: Final = 1024
"""Token vectors kept of one text."""

LEAST_WINDOW: Final = 32
"""Pieces a model's window must have."""

LEAST_OWN_TOKENS: Final = 8
"""Pieces of the window that a prefix and the special ones must leave to a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One run of the model.

    Attributes:
        pieces: Prefix, context and own text.
        own: ``(n,)`` bool, the pieces whose token vectors belong to this text and to no earlier
            chunk.
    """

    pieces: Pieces
    own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPlan:
    """How a model's passages are cut.

    Attributes:
        prefix: Put before each chunk.
        max_tokens: Window of the model, special pieces included.
        chunk_tokens: Own pieces of a chunk once a text exceeds the window.
        overlap: Pieces two neighbouring chunks share.
    """

    prefix: str
    max_tokens: int
    chunk_tokens: int
    overlap: int

    def chunks(self, cutter: PieceCutter, text: str, context: str) -> list[Chunk]:
        """The chunks of a normalised text, in order; the context goes before the first.

        Each fits the window, so that every piece of the text is seen; of a text of more than
        `MAX_CHUNKS` the first of them and the end.
        """
        head = self.prefix + self._tail(cutter, context)
        whole = cutter.cut(head + text)
        if len(whole) <= self._window(cutter):
            return [_chunk(whole, len(head))]
        return self._several(cutter, text, head)

    def _several(self, cutter: PieceCutter, text: str, head: str) -> list[Chunk]:
        own = cutter.cut(text)
        starts = [0, *own.starts.tolist()[1:]]
        ends = [*own.ends.tolist()[:-1], len(text)]
        chunks: list[Chunk] = []
        start, end, covered = 0, 0, 0
        while not chunks or covered < len(text):
            before = self.prefix if chunks else head
            first = _skip_spaces(text, starts[start]) if chunks else 0
            least = end + 1
            room = self._window(cutter) - len(cutter.cut(before)) - 1
            end = min(len(ends), max(least, start + min(self.chunk_tokens, room)))
            pieces = cutter.cut(before + text[first : ends[end - 1]])
            while len(pieces) > self._window(cutter) and end > least:
                end = max(least, end - len(pieces) + self._window(cutter))
                pieces = cutter.cut(before + text[first : ends[end - 1]])
            chunks.append(_chunk(pieces, len(before) + covered - first))
            covered = ends[end - 1]
            start = end - min(self.overlap, (end - start) // 2)
            if len(chunks) == MAX_CHUNKS and covered < len(text):
                return [*chunks, self._last(cutter, text, starts, covered)]
        return chunks

    def _last(self, cutter: PieceCutter, text: str, starts: list[int], covered: int) -> Chunk:
        """The end of a text: half a chunk, so that what is said last weighs in its vector."""
        start = max(0, len(starts) - self.chunk_tokens // 2)
        while True:
            first = _skip_spaces(text, starts[start])
            pieces = cutter.cut(self.prefix + text[first:])
            too_many = len(pieces) - self._window(cutter)
            if too_many <= 0 or start == len(starts) - 1:
                own_start = len(self.prefix) + max(0, covered - first)
                return _chunk(pieces, own_start)
            start = min(len(starts) - 1, start + too_many)

    def _window(self, cutter: PieceCutter) -> int:
        return self.max_tokens - cutter.special_count

    def _tail(self, cutter: PieceCutter, context: str) -> str:
        if not context:
            return ""
        pieces = cutter.cut(context)
        limit = min(CONTEXT_TOKENS, self.max_tokens // 2 - len(cutter.cut(self.prefix)))
        if limit <= 0:
            return ""
        if len(pieces) > limit:
            context = context[int(pieces.starts[-limit]) :]
        return context + "\n"


def _chunk(pieces: Pieces, own_start: int) -> Chunk:
    return Chunk(pieces=pieces, own=(pieces.ends > own_start) & (pieces.ends > pieces.starts))


def _skip_spaces(text: str, place: int) -> int:
    while place < len(text) - 1 and text[place].isspace():
        place += 1
    return place


def choose_tokens(
    weights: Sequence[NDArray[np.float32]], limit: int = MAX_TOKEN_VECTORS
) -> list[NDArray[np.int64]]:
    """Choose at most ``limit`` tokens over all chunks, the heaviest of each, fairly shared.

    Args:
        weights: Of each chunk's own tokens, ``(n,)`` float32 each.
        limit: Tokens in all.

    Returns:
        For each chunk the places of the chosen tokens, ascending. Tokens of weight 0 are left
        out, unless all are; a chunk that needs less than an equal share leaves the rest to others.
    """
    if not any((chunk > 0).any() for chunk in weights):
        weights = [np.ones_like(chunk) for chunk in weights]
    wanted = [int((chunk > 0).sum()) for chunk in weights]
    chosen: list[NDArray[np.int64]] = []
    for chunk, share in zip(weights, _shares(wanted, limit), strict=True):
        heaviest = np.argsort(-chunk, kind="stable")[:share]
        chosen.append(np.sort(heaviest).astype(np.int64))
    return chosen


def _shares(wanted: Sequence[int], limit: int) -> list[int]:
    shares = [0] * len(wanted)
    left = limit
    for done, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        shares[place] = min(wanted[place], left // (len(wanted) - done))
        left -= shares[place]
    return shares
