"""Arrays that grow at their end; views taken earlier keep what they had."""

import sys
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.engine.part import StringColumn
from omoide.engine.postings import FlatPostings
from omoide.engine.text import text_hash

_Scalar = TypeVar("_Scalar", bound=np.generic)

_ENTRY_BYTES = 130
"""Of a string in a list and a dictionary, with its code."""


class Growable(Generic[_Scalar]):
    """An array with room at its end. Views taken earlier keep what they had."""

    def __init__(self, kind: type[_Scalar], width: int | None = None) -> None:
        shape = (0,) if width is None else (0, width)
        self._buffer: NDArray[_Scalar] = np.empty(shape, dtype=kind)
        self._count = 0

    def extend(self, rows: NDArray[Any]) -> None:
        """Append rows."""
        needed = self._count + len(rows)
        if needed > len(self._buffer):
            room = needed + (self._count // 2 if self._count else 0)
            grown = np.empty((room, *self._buffer.shape[1:]), dtype=self._buffer.dtype)
            grown[: self._count] = self._buffer[: self._count]
            self._buffer = grown
        self._buffer[self._count : needed] = rows
        self._count = needed

    def view(self) -> NDArray[_Scalar]:
        """What was appended so far."""
        return self._buffer[: self._count]

    @property
    def allocated_bytes(self) -> int:
        """Memory taken, the room included."""
        return self._buffer.nbytes

    def __len__(self) -> int:
        return self._count


class GrowingStrings:
    """A `StringColumn` that grows."""

    def __init__(self) -> None:
        self._codes = Growable(np.int32)
        self._hashes = Growable(np.uint64)
        self._values: list[str] = []
        self._known: dict[str, int] = {}
        self._values_bytes = 0

    def extend(self, texts: Sequence[str | None]) -> None:
        """Append one text, or None, per row."""
        codes = [-1 if text is None else self._code(text) for text in texts]
        self._codes.extend(np.array(codes, dtype=np.int32))

    def _code(self, text: str) -> int:
        code = self._known.get(text)
        if code is None:
            code = self._known[text] = len(self._values)
            self._values.append(text)
            self._values_bytes += sys.getsizeof(text) + _ENTRY_BYTES
            self._hashes.extend(np.array([text_hash(text)], dtype=np.uint64))
        return code

    @property
    def allocated_bytes(self) -> int:
        """Memory taken, about."""
        arrays = self._codes.allocated_bytes + self._hashes.allocated_bytes
        return arrays + self._values_bytes

    def view(self) -> StringColumn:
        """What was appended so far."""
        return StringColumn(
            codes=self._codes.view(), hashes=self._hashes.view(), values=self._values
        )


class GrowingPostings:
    """`FlatPostings` that grow."""

    def __init__(self) -> None:
        self._keys = Growable(np.uint64)
        self._rows = Growable(np.uint32)
        self._own = Growable(np.uint8)
        self._context = Growable(np.uint8)

    def extend(
        self,
        keys: NDArray[np.uint64],
        rows: NDArray[np.int64],
        own: NDArray[np.uint8],
        context: NDArray[np.uint8],
    ) -> None:
        """Append postings, their rows not below any former one."""
        self._keys.extend(keys)
        self._rows.extend(rows)
        self._own.extend(own)
        self._context.extend(context)

    def view(self) -> FlatPostings:
        """What was appended so far."""
        return FlatPostings(
            keys=self._keys.view(),
            rows=self._rows.view(),
            own=self._own.view(),
            context=self._context.view(),
        )

    @property
    def allocated_bytes(self) -> int:
        """Memory taken, the room included."""
        arrays = (self._keys, self._rows, self._own, self._context)
        return sum(a.allocated_bytes for a in arrays)
