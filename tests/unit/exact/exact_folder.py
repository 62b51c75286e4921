"""A folder in memory whose index is the exact one."""

from omoide.adapters.exact import ExactMemoryIndex
from omoide.adapters.fake import FakeClock
from omoide.adapters.fake.following import FollowedFolder
from tests.contract.samples import DIMS, NOW, REVISION


class ExactFolder(FollowedFolder):
    """Records in memory, searched exactly.

    Attributes:
        exact: Searches as one instance of a function does; `another` makes others.
    """

    def __init__(
        self,
        clock: FakeClock | None = None,
        *,
        revision: str = REVISION,
        dims: int = DIMS,
        max_memories: int = 20_000,
        max_writes: int = 2_000,
        memory_budget_bytes: int = 1 << 28,
    ) -> None:
        self.clock = clock or FakeClock(NOW)
        super().__init__(clock=self.clock)
        self.naive = self.index
        self._limits = {
            "max_memories": max_memories,
            "max_writes": max_writes,
            "memory_budget_bytes": memory_budget_bytes,
        }
        self._model = (revision, dims)
        self.exact = self.another()

    def another(self) -> ExactMemoryIndex:
        """Another instance over the same records."""
        revision, dims = self._model
        return ExactMemoryIndex(
            pending=self.pending,
            source=self.source,
            revision=revision,
            dims=dims,
            clock=self.clock,
            **self._limits,
        )
