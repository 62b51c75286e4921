"""Writes at random."""

import random
from collections.abc import Callable

from omoide.domain.memory import Memory
from omoide.ports.memory_records import MemoryChange
from tests.contract.samples import creation_of, deletion_of, memory_of, update_of


class RandomWriter:
    """Stores, updates and deletes memories; knows which words each live one has.

    Attributes:
        live: What is stored.
        written: The memory of each write, in order.

    Args:
        commit: Applies a change.
        seed: Decides what is written.
    """

    def __init__(self, commit: Callable[[MemoryChange], None], seed: int) -> None:
        self._commit = commit
        self._random = random.Random(seed)
        self.live: dict[str, Memory] = {}
        self.written: list[str] = []

    def write(self) -> None:
        """Make one write."""
        number = len(self.written) + 1
        choice = self._random.random()
        if self.live and choice < 0.3:
            change = update_of(self._any(), content=f"red number{number}")
        elif self.live and choice < 0.5:
            change = deletion_of(self._any())
        else:
            change = creation_of(memory_of(f"m{number:05}", f"red number{number}"))
        self._commit(change)
        memory = change.memory
        self.written.append(memory.id)
        if memory.deleted_at is None:
            self.live[memory.id] = memory
        else:
            del self.live[memory.id]

    def _any(self) -> Memory:
        return self.live[self._random.choice(sorted(self.live))]
