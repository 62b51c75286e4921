"""A data folder in memory."""

from types import TracebackType
from typing import Self

from omoide.adapters.fake.clock import FakeClock, FakeEntropy
from omoide.adapters.fake.index import FakeMemoryIndex
from omoide.adapters.fake.keys import FakeKeyStore
from omoide.adapters.fake.limiter import FakeRateLimiter
from omoide.adapters.fake.records import FakeMemoryRecords
from omoide.adapters.fake.shown import FakeShownMemories
from omoide.adapters.fake.state import FolderState
from omoide.adapters.fake.uses import FakeUseLog
from omoide.ports.clock import Clock, Entropy


class FakeFolder:
    """The adapters of a data folder, without a folder.

    Attributes:
        records: `MemoryRecords` and `WriteLookups`.
        index: `MemoryIndex`.
        uses: `UseLog`.
        keys: `KeyStore`.
        limiter: `RateLimiter`.
        shown: `ShownMemories`.

    Args:
        clock: The time of day; a `FakeClock` by default.
        entropy: Randomness; a `FakeEntropy` by default.
    """

    def __init__(self, *, clock: Clock | None = None, entropy: Entropy | None = None) -> None:
        clock = clock or FakeClock()
        self._state = FolderState(clock=clock)
        self.records = FakeMemoryRecords(self._state)
        self.index = FakeMemoryIndex(self._state)
        self.uses = FakeUseLog(self._state)
        self.keys = FakeKeyStore(entropy or FakeEntropy())
        self.limiter = FakeRateLimiter(clock)
        self.shown = FakeShownMemories()

    @property
    def is_down(self) -> bool:
        """While true, records and index raise `UnavailableError`."""
        return self._state.is_down

    @is_down.setter
    def is_down(self, value: bool) -> None:
        self._state.is_down = value

    def close(self) -> None:
        """Nothing to release."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
