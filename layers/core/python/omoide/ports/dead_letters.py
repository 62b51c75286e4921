"""Keeping what could not be indexed until somebody looks at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from omoide.ports.index_writer import Unindexable


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A kept fault.

    Attributes:
        receipt: What `DeadLetters.remove` takes.
        fault: The memory and what was wrong.
    """

    receipt: str
    fault: Unindexable


class DeadLetters(Protocol):
    """A queue of faults. All methods raise `UnavailableError` when it cannot be reached."""

    def send(self, faults: Sequence[Unindexable]) -> None:
        """Keep them; each at least once."""
        ...

    def take(self, limit: int) -> list[DeadLetter]:
        """Some of them, hidden from others for a while; empty when none is left."""
        ...

    def remove(self, letters: Sequence[DeadLetter]) -> None:
        """Forget those that were dealt with."""
        ...
