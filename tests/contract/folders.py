"""The folders that every contract is held against."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from omoide.adapters.embedded import open_folder
from omoide.adapters.fake import FakeClock, FakeEntropy, FakeFolder
from omoide.domain.memory import Use
from omoide.ports.keys import KeyStore
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.rate_limiter import RateLimiter
from omoide.ports.shown_memories import ShownMemories
from omoide.ports.use_log import Accessed
from tests.contract.samples import DIMS, NOW, REVISION
from tests.contract.table_folder import EmulatedFolder, TableFolder


class Records(MemoryRecords, WriteLookups, Protocol):
    """Both ports over records."""


class Uses(Protocol):
    """A use log that can be told not to wait."""

    def record(self, accessed: Accessed) -> None: ...
    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]: ...
    def flush(self) -> None: ...


class Folder(Protocol):
    """What every adapter of a data folder offers."""

    @property
    def records(self) -> Records: ...
    @property
    def index(self) -> MemoryIndex: ...
    @property
    def uses(self) -> Uses: ...
    @property
    def keys(self) -> KeyStore: ...
    @property
    def limiter(self) -> RateLimiter: ...
    @property
    def shown(self) -> ShownMemories: ...
    def close(self) -> None: ...


Opener = Callable[[Path, FakeClock], Folder]


def open_fake(path: Path, clock: FakeClock) -> Folder:
    """A folder in memory."""
    return FakeFolder(clock=clock)


def open_embedded(path: Path, clock: FakeClock) -> Folder:
    """A data folder whose tails become segments after a few rows."""
    return open_folder(
        path,
        revision=REVISION,
        model_id="fake",
        dims=DIMS,
        clock=clock,
        entropy=FakeEntropy(),
        segment_rows=4,
    )


def open_dynamodb(path: Path, clock: FakeClock) -> Folder:
    """A table in this process."""
    return TableFolder(clock)


def open_emulated(path: Path, clock: FakeClock) -> Folder:
    """A table on an emulator."""
    return EmulatedFolder(clock)


LOCAL_OPENERS: dict[str, Opener] = {"fake": open_fake, "embedded": open_embedded}
OPENERS: dict[str, Opener] = {
    **LOCAL_OPENERS,
    "dynamodb": open_dynamodb,
    "emulator": open_emulated,
}


def clock_at(now: datetime = NOW) -> FakeClock:
    """A clock that shows the time the samples are made at."""
    return FakeClock(now)
