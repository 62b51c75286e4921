"""The services nobody waits for; they need a table with an index that follows it."""

from typing import TYPE_CHECKING, Protocol, cast

from functions.composition.parts import clock, folder
from functions.composition.process import is_given, once, settings
from functions.wiring import DataFolder
from omoide.ports.dead_letters import DeadLetters
from omoide.ports.index_writer import IndexBuilder, IndexWriter
from omoide.ports.pending_writes import PendingWrites
from omoide.ports.scoring_source import ScoringSource
from omoide.ports.use_log import UseLog
from omoide.settings import PREFIX, SettingError

if TYPE_CHECKING:
    from omoide.services.index_memories import IndexMemories
    from omoide.services.indexing import IndexPending
    from omoide.services.record_accesses import RecordAccesses
    from omoide.services.redrive_dead_letters import RedriveDeadLetters
    from omoide.services.redrive_pending import RedrivePending
    from omoide.services.reindex import Reindex


class FollowedFolder(DataFolder, Protocol):
    """The adapters that keep memories, with an index that follows them."""

    @property
    def counters(self) -> UseLog:
        """The access counters themselves."""
        ...

    @property
    def pending(self) -> PendingWrites:
        """Writes the index has not taken yet."""
        ...

    @property
    def source(self) -> ScoringSource:
        """The scoring data of the records."""
        ...

    @property
    def writer(self) -> IndexWriter:
        """Fills the index."""
        ...

    @property
    def builder(self) -> IndexBuilder:
        """Builds a new index."""
        ...

    @property
    def dead_letters(self) -> DeadLetters:
        """Keeps what cannot be indexed."""
        ...


def followed_folder() -> FollowedFolder:
    """The folder, which must have an index that follows it.

    Raises:
        SettingError: Memories are kept in a data folder, whose index is a part of it.
    """
    is_followed = bool(settings().table) or (is_given("folder") and hasattr(folder(), "pending"))
    if not is_followed:
        raise SettingError(f"{PREFIX}TABLE: names the table whose index is meant")
    return cast("FollowedFolder", folder())


@once
def index_memories() -> "IndexMemories":
    """The service that indexes memories that were written."""
    from omoide.services.index_memories import IndexMemories

    followed = followed_folder()
    return IndexMemories(
        pending=followed.pending,
        index_pending=_index_pending(),
        dead_letters=followed.dead_letters,
    )


@once
def redrive_pending() -> "RedrivePending":
    """The service that indexes what the stream has lost."""
    from omoide.services.redrive_pending import RedrivePending

    followed = followed_folder()
    return RedrivePending(
        pending=followed.pending,
        index_pending=_index_pending(),
        dead_letters=followed.dead_letters,
        clock=clock(),
    )


@once
def redrive_dead_letters() -> "RedriveDeadLetters":
    """The service that indexes again what could not be indexed."""
    from omoide.services.redrive_dead_letters import RedriveDeadLetters

    followed = followed_folder()
    return RedriveDeadLetters(
        pending=followed.pending,
        index_pending=_index_pending(),
        dead_letters=followed.dead_letters,
    )


@once
def reindex() -> "Reindex":
    """The service that builds the index anew."""
    from omoide.services.reindex import Reindex

    return Reindex(source=followed_folder().source, builder=followed_folder().builder)


@once
def record_accesses() -> "RecordAccesses":
    """The service that counts accesses."""
    from omoide.services.record_accesses import RecordAccesses

    return RecordAccesses(uses=followed_folder().counters)


def _index_pending() -> "IndexPending":
    from omoide.services.indexing import IndexPending

    followed = followed_folder()
    return IndexPending(pending=followed.pending, source=followed.source, writer=followed.writer)
