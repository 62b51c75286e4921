"""What a process has wired: each part made once, when it is first asked for."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypedDict, TypeVar, cast

from omoide.ports.clock import Clock
from omoide.ports.embedder import Embedder
from omoide.ports.keys import KeyStore
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.memory_records import MemoryRecords, WriteLookups
from omoide.ports.rate_limiter import RateLimiter
from omoide.ports.shown_memories import ShownMemories
from omoide.ports.use_log import UseLog
from omoide.settings import Settings

if TYPE_CHECKING:
    from omoide.services.limit_requests import LimitRequests

_T = TypeVar("_T")


class Records(MemoryRecords, WriteLookups, Protocol):
    """The records and the look-ups a write needs."""


class DataFolder(Protocol):
    """The adapters that keep memories, as one."""

    @property
    def records(self) -> Records:
        """The records."""
        ...

    @property
    def index(self) -> MemoryIndex:
        """The search engine."""
        ...

    @property
    def uses(self) -> UseLog:
        """The access counters."""
        ...

    @property
    def keys(self) -> KeyStore:
        """The API keys."""
        ...

    @property
    def limiter(self) -> RateLimiter:
        """The rate limits."""
        ...

    @property
    def shown(self) -> ShownMemories:
        """What sessions were shown."""
        ...

    def close(self) -> None:
        """Release files and threads."""
        ...


class WritePorts(TypedDict):
    """What every service that writes holds."""

    records: MemoryRecords
    lookups: WriteLookups
    embedder: Embedder
    limit: "LimitRequests"
    clock: Clock


class Wiring:
    """Everything of one configuration, each made once, when it is first asked for."""

    def __init__(self, settings: Settings | None = None, **given: object) -> None:
        self._lock = threading.RLock()
        self._settings = settings
        self._given = {name: part for name, part in given.items() if part is not None}
        self._made: dict[str, object] = dict(self._given)

    @property
    def settings(self) -> Settings:
        """The settings; read from the environment when none were given."""
        with self._lock:
            if self._settings is None:
                self._settings = Settings.load()
            return self._settings

    def is_given(self, name: str) -> bool:
        """Whether a part was given instead of made."""
        return name in self._given

    def once(self, name: str, make: Callable[[], _T]) -> _T:
        """Return what was made under this name, or make it."""
        made = self._made.get(name)
        if made is None:
            with self._lock:
                made = self._made.get(name)
                if made is None:
                    made = self._made[name] = make()
        return cast("_T", made)

    def close(self) -> None:
        """Release what was made; it is made anew when it is next asked for."""
        with self._lock:
            folder = self._made.get("folder")
            self._made = dict(self._given)
        if folder is not None:
            cast("DataFolder", folder).close()
