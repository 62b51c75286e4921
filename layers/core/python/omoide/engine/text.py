"""Strings in arrays: hashes that stand for them, and many of them in one buffer."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray


def text_hash(text: str) -> int:
    """A 64-bit hash (BLAKE2b) that stands for a string in filters and dictionaries."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class PackedStrings(Sequence[str]):
    """Many strings in one UTF-8 buffer, decoded when asked for.

    Args:
        starts: ``(n + 1,)`` int64, where each string begins.
        octets: uint8, the strings one after the other.
    """

    def __init__(self, starts: NDArray[np.int64], octets: NDArray[np.uint8]) -> None:
        self.starts = starts
        self.octets = octets

    @classmethod
    def of(cls, strings: Iterable[str]) -> "PackedStrings":
        """Pack strings, in order."""
        encoded = [s.encode("utf-8", "surrogatepass") for s in strings]
        starts = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(e) for e in encoded], out=starts[1:])
        return cls(starts, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def take(self, rows: NDArray[np.int64]) -> "PackedStrings":
        """Those strings, in the order asked for, without decoding them."""
        lengths = np.diff(self.starts)[rows]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        return PackedStrings(starts, self.octets[spans(self.starts[rows], lengths)])

    @classmethod
    def joined(cls, parts: Sequence["PackedStrings"]) -> "PackedStrings":
        """The strings of all parts, one part after the other."""
        lengths = [np.zeros(1, dtype=np.int64), *(np.diff(part.starts) for part in parts)]
        octets = [np.zeros(0, dtype=np.uint8), *(part.octets for part in parts)]
        return cls(np.cumsum(np.concatenate(lengths), dtype=np.int64), np.concatenate(octets))

    def at(self, rows: NDArray[np.int64]) -> list[str]:
        """Those strings, decoded together."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        octets = self.octets[spans(starts, lengths)].tobytes()
        ends: list[int] = np.cumsum(lengths).tolist()
        bounds = list(zip([0, *ends], ends, strict=False))
        if octets.isascii():
            text = octets.decode("ascii")
            return [text[start:end] for start, end in bounds]
        return [octets[start:end].decode("utf-8", "surrogatepass") for start, end in bounds]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        start, end = self.starts[index], self.starts[index + 1]
        return self.octets[start:end].tobytes().decode("utf-8", "surrogatepass")


def strings_at(strings: Sequence[str], rows: NDArray[np.int64]) -> list[str]:
    """The strings of some rows."""
    if isinstance(strings, PackedStrings):
        return strings.at(rows)
    indices: list[int] = rows.tolist()
    return [strings[i] for i in indices]


def spans(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of several spans, one span after the other."""
    total = int(lengths.sum())
    before = np.cumsum(lengths) - lengths
    return np.arange(total, dtype=np.int64) + np.repeat(starts - before, lengths)
