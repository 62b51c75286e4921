"""What the adapters of one folder in memory share."""

import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from omoide.adapters.fake.clock import FakeClock
from omoide.domain.errors import UnavailableError
from omoide.domain.memory import Memory, Use
from omoide.domain.scoring_data import ScoringData
from omoide.ports.clock import Clock
from omoide.ports.memory_records import Operation


@dataclass(slots=True, kw_only=True)
class FolderState:
    """Every item of a folder, guarded by one lock.

    Attributes:
        clock: Decides whether a recorded operation has expired.
        memories: Live, invisible and deleted records by id.
        scoring: Scoring data of live, visible memories by id, in the order of writing.
        histories: Earlier versions by id, oldest first.
        fingerprints: Memory id by namespace and fingerprint.
        operations: By principal, name and key.
        uses: Counters by memory id.
        session_hours: Accesses counted already: memory, session and hour.
        is_down: While true every call raises `UnavailableError`.
    """

    clock: Clock = field(default_factory=FakeClock)
    lock: threading.RLock = field(default_factory=threading.RLock)
    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])
    scoring: dict[str, ScoringData] = field(default_factory=dict[str, ScoringData])
    histories: dict[str, list[Memory]] = field(default_factory=dict[str, list[Memory]])
    fingerprints: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    operations: dict[tuple[str, str, str], Operation] = field(
        default_factory=dict[tuple[str, str, str], Operation]
    )
    uses: dict[str, Use] = field(default_factory=dict[str, Use])
    session_hours: set[tuple[str, str, int]] = field(default_factory=set[tuple[str, str, int]])
    is_down: bool = False

    def require_up(self) -> None:
        """Raise `UnavailableError` while the folder is down."""
        if self.is_down:
            raise UnavailableError("the store is down")

    def copy(self) -> "FolderState":
        """The items as they are now."""
        return replace(
            self,
            memories=dict(self.memories),
            scoring=dict(self.scoring),
            histories={memory_id: list(kept) for memory_id, kept in self.histories.items()},
            fingerprints=dict(self.fingerprints),
            operations=dict(self.operations),
            uses=dict(self.uses),
        )

    def restore(self, before: "FolderState") -> None:
        """Go back to the items of a copy."""
        for name in ("memories", "scoring", "histories", "fingerprints", "operations", "uses"):
            setattr(self, name, getattr(before, name))

    def live(self, namespace: str) -> list[Memory]:
        """The memories of a namespace that reads may show."""
        return [m for m in self.memories.values() if m.namespace == namespace and is_shown(m)]


def is_shown(memory: Memory) -> bool:
    """Whether reads may show the record."""
    return memory.visible and memory.deleted_at is None


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def milliseconds(time: datetime | None) -> int:
    """Milliseconds since 1970 UTC, -1 for None."""
    return -1 if time is None else (time - EPOCH) // timedelta(milliseconds=1)
