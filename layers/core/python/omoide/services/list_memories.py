"""List the memories of a namespace, page by page."""

from dataclasses import dataclass

from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal
from omoide.ports.clock import Clock
from omoide.ports.keys import KeyStore
from omoide.ports.memory_records import MemoryRecords
from omoide.ports.use_log import UseLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of memories, newest first.

    Attributes:
        namespace: Where they are.
        views: The memories.
        next_cursor: Continues after them; None at the end.
        total: How many satisfy the filter on all pages.
    """

    namespace: str
    views: tuple[MemoryView, ...]
    next_cursor: str | None
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMemories:
    """Lists memories. Listing is not recalling: it counts no access."""

    records: MemoryRecords
    uses: UseLog
    keys: KeyStore
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        namespace: str | None,
        where: MemoryFilter,
        *,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Listing:
        """Return one page."""
        raise NotImplementedError
