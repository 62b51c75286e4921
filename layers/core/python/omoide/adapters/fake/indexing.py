"""An index in memory that is filled from outside, and the letters about what it cannot take."""

from collections.abc import Sequence

from omoide.domain.errors import UnavailableError
from omoide.engine.entries import UnreadableScoringError, check_scoring
from omoide.ports.dead_letters import DeadLetter
from omoide.ports.index_writer import Unindexable
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.scoring_source import IndexEntry


class FakeIndexWriter:
    """Implements `IndexWriter`.

    Attributes:
        entries: What is indexed; deletions are remembered without scoring data.
        building: The same of an index being built; None when there is none.
        is_down: While true every call raises `UnavailableError`.
    """

    def __init__(self) -> None:
        self.entries: dict[MemoryRef, IndexEntry] = {}
        self.building: dict[MemoryRef, IndexEntry] | None = None
        self.is_down = False

    @property
    def indexed(self) -> dict[str, int]:
        """The version of every memory that searches may find, by id."""
        found = self.entries.values()
        return {e.memory.memory_id: e.version for e in found if e.scoring is not None}

    def write(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Index or delete."""
        self.require_up()
        if self.building is not None:
            write_entries(self.building, entries)
        return write_entries(self.entries, entries)

    def require_up(self) -> None:
        """Raise `UnavailableError` while the index is down."""
        if self.is_down:
            raise UnavailableError("the index is down")


class FakeIndexBuilder:
    """Implements `IndexBuilder`.

    Args:
        writer: The index.
    """

    def __init__(self, writer: FakeIndexWriter) -> None:
        self._writer = writer
        self._position: str | None = None

    def begin(self, *, anew: bool = False) -> str | None:
        """Make an empty index, or go on with the one being built."""
        self._writer.require_up()
        if self._writer.building is None or anew:
            self._writer.building = {}
            self._position = None
        return self._position

    def add(self, entries: Sequence[IndexEntry]) -> list[Unindexable]:
        """Write to the index being built alone."""
        self._writer.require_up()
        if self._writer.building is None:
            raise UnavailableError("no index is being built")
        return write_entries(self._writer.building, entries)

    def save(self, position: str) -> None:
        """Keep how far the build has come."""
        self._writer.require_up()
        self._position = position

    def switch(self) -> None:
        """Search the new index from now on."""
        self._writer.require_up()
        self._writer.entries, self._writer.building = self._writer.building or {}, None
        self._position = None


def write_entries(
    index: dict[MemoryRef, IndexEntry], entries: Sequence[IndexEntry]
) -> list[Unindexable]:
    """Write entries that are not older than what is there; return those that cannot be read."""
    faults: list[Unindexable] = []
    for entry in entries:
        reason = None if entry.scoring is None else _fault_of(entry.scoring)
        if reason is not None:
            faults.append(Unindexable(memory=entry.memory, version=entry.version, reason=reason))
            continue
        known = index.get(entry.memory)
        if known is None or known.index_version <= entry.index_version:
            index[entry.memory] = entry
    return faults


def _fault_of(scoring: bytes) -> str | None:
    try:
        check_scoring(scoring)
    except UnreadableScoringError as error:
        return str(error)
    return None


class FakeDeadLetters:
    """Implements `DeadLetters`; what was taken is hidden until `show_again`."""

    def __init__(self) -> None:
        self._letters: list[DeadLetter] = []
        self._hidden: set[str] = set()
        self._count = 0

    @property
    def faults(self) -> list[Unindexable]:
        """Everything kept, oldest first."""
        return [letter.fault for letter in self._letters]

    def send(self, faults: Sequence[Unindexable]) -> None:
        """Keep them."""
        for fault in faults:
            self._count += 1
            self._letters.append(DeadLetter(receipt=str(self._count), fault=fault))

    def take(self, limit: int) -> list[DeadLetter]:
        """Some of them, hidden from others."""
        shown = [letter for letter in self._letters if letter.receipt not in self._hidden]
        self._hidden.update(letter.receipt for letter in shown[:limit])
        return shown[:limit]

    def remove(self, letters: Sequence[DeadLetter]) -> None:
        """Forget those that were dealt with."""
        gone = {letter.receipt for letter in letters}
        self._letters = [letter for letter in self._letters if letter.receipt not in gone]

    def show_again(self) -> None:
        """End the hiding of what was taken."""
        self._hidden.clear()
