"""What one process holds of one namespace."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from omoide.engine.entries import readable
from omoide.engine.part import LivePart
from omoide.engine.tail import StoredRow, Tail
from omoide.ports.pending_writes import PendingWrite
from omoide.ports.scoring_source import IndexEntry

_FEW_DEAD = 1_024


class ExactView:
    """Rows in memory; what is read anew takes the place of what was there.

    Attributes:
        synchronised_at: All writes before this instant are in it.
        is_whole: Whether it holds every memory of the namespace.

    Args:
        revision: Rows of another revision get no vectors.
        dims: Length of a vector.
        synchronised_at: When reading began.
    """

    def __init__(self, *, revision: str, dims: int, synchronised_at: datetime) -> None:
        self.synchronised_at = synchronised_at
        self.is_whole = True
        self._tail = Tail(revision=revision, dims=dims)
        self._alive = np.zeros(0, dtype=np.bool_)
        self._rows: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._unreadable: set[str] = set()
        self._tokens: dict[str, str] = {}
        self._live = LivePart.of(self._tail.snapshot())

    @property
    def live(self) -> LivePart:
        """The rows; they do not change when others are read."""
        return self._live

    @property
    def is_complete(self) -> bool:
        """Whether every memory of the namespace is there and can be read."""
        return self.is_whole and not self._unreadable

    @property
    def allocated_bytes(self) -> int:
        """Memory taken, about."""
        return self._tail.allocated_bytes

    @property
    def is_mostly_dead(self) -> bool:
        """Whether reading everything anew would save much."""
        return len(self._alive) - len(self._rows) > max(_FEW_DEAD, len(self._rows))

    def unseen(self, writes: Sequence[PendingWrite]) -> list[PendingWrite]:
        """Those writes that `note` was not told of."""
        return [one for one in writes if self._tokens.get(one.memory.memory_id) != one.token]

    def note(self, writes: Sequence[PendingWrite]) -> None:
        """Remember which writes are in it; those not given again are forgotten."""
        self._tokens = {one.memory.memory_id: one.token for one in writes}

    def take(self, entries: Sequence[IndexEntry]) -> None:
        """Put entries in the place of what was there; older ones are left out."""
        newer = [
            entry
            for entry in entries
            if self._versions.get(entry.memory.memory_id, -1) < entry.index_version
        ]
        scored = [(e.memory.memory_id, e.scoring) for e in newer if e.scoring is not None]
        legible = readable(scored)
        ids = {entry.memory.memory_id for entry in newer}
        self._unreadable -= ids
        self._unreadable |= {i for i, _ in scored} - {i for i, _ in legible}
        dead = [self._rows.pop(memory_id) for memory_id in ids & self._rows.keys()]
        self._versions.update((e.memory.memory_id, e.index_version) for e in newer)
        first = len(self._alive)
        self._rows.update((memory_id, first + i) for i, (memory_id, _) in enumerate(legible))
        self._tail.extend(
            [
                StoredRow(vid=first + i + 1, memory_id=memory_id, blob=blob)
                for i, (memory_id, blob) in enumerate(legible)
            ]
        )
        if newer:
            self._show(dead, len(legible))

    def _show(self, dead: Sequence[int], added: int) -> None:
        alive = np.concatenate([self._alive, np.ones(added, dtype=np.bool_)])
        alive[list(dead)] = False
        self._alive = alive
        self._live = LivePart.of(self._tail.snapshot(), alive)
