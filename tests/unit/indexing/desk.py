"""A folder in memory and the services that index it."""

from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.following import FollowedFolder
from omoide.ports.memory_records import MemoryChange
from omoide.ports.pending_writes import MemoryRef
from omoide.services.index_memories import IndexMemories
from omoide.services.indexing import IndexPending
from omoide.services.redrive_pending import RedrivePending
from tests.contract.samples import NOW


class Desk:
    """A folder and the services that index it."""

    def __init__(self) -> None:
        self.clock = FakeClock(NOW)
        self.folder = FollowedFolder(clock=self.clock)
        self.index_pending = IndexPending(
            pending=self.folder.pending, source=self.folder.source, writer=self.folder.writer
        )

    def commit(self, *changes: MemoryChange) -> None:
        for change in changes:
            self.folder.records.commit(change)

    def index(self, *memory_ids: str) -> None:
        service = IndexMemories(
            pending=self.folder.pending,
            index_pending=self.index_pending,
            dead_letters=self.folder.dead_letters,
        )
        service([MemoryRef(namespace="team/a", memory_id=i) for i in memory_ids])

    def redrive(self, batch: int = 500, max_batches: int = 20) -> int:
        return RedrivePending(
            pending=self.folder.pending,
            index_pending=self.index_pending,
            dead_letters=self.folder.dead_letters,
            clock=self.clock,
            batch=batch,
            max_batches=max_batches,
        )()

    @property
    def pending(self) -> set[str]:
        return {ref.memory_id for ref in self.folder.followed.pending}

    @property
    def indexed(self) -> dict[str, int]:
        return self.folder.writer.indexed
