"""Build the search index anew from the records."""

from collections.abc import Callable
from dataclasses import dataclass

from omoide.ports.index_writer import IndexBuilder
from omoide.ports.scoring_source import ScoringSource

PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """The outcome.

    Attributes:
        count: Memories read in this run.
        fault_count: Those of them that cannot be indexed; the log names them.
        is_complete: The new index is searched; False when the run was told to stop.
    """

    count: int
    fault_count: int
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindex:
    """Fills a new index while the former one is searched and written to, then switches.

    Writes during the build go to both indexes. An entry of the build never replaces a later write,
    whichever comes first.

    Attributes:
        source: Every memory's scoring data.
        builder: The new index.
        page: Memories read at once.
    """

    source: ScoringSource
    builder: IndexBuilder
    page: int = PAGE

    def __call__(
        self,
        *,
        anew: bool = False,
        on_page: Callable[[int], bool] = lambda count: True,
    ) -> Reindexed:
        """Build it, going on where an interrupted run stopped.

        Args:
            anew: Begin at the first memory.
            on_page: Told after each page how many memories were read; False stops the run, and
                the next one goes on from there.

        Raises:
            UnavailableError: Records or index cannot be reached; the next run goes on.
        """
        position = self.builder.begin(anew=anew)
        count = faults = 0
        while True:
            page = self.source.page(position, self.page)
            faults += len(self.builder.add(page.entries))
            count += len(page.entries)
            if page.position is None:
                break
            position = page.position
            self.builder.save(position)
            if not on_page(count):
                return Reindexed(count=count, fault_count=faults, is_complete=False)
        self.builder.switch()
        return Reindexed(count=count, fault_count=faults, is_complete=True)
