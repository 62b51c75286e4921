"""The best of a ranking as the records are now: what the index no longer knows better about."""

from collections.abc import Iterator
from dataclasses import dataclass

from omoide.domain.matching import matches
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import RankingProfile
from omoide.domain.ranking.penalties import penalty
from omoide.domain.ranking.ranker import Ranked
from omoide.ports.memory_records import MemoryRecords


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A memory in its place.

    Attributes:
        row: Its row of the pool.
        memory: Its record.
        score: What it is ordered by.
    """

    row: int
    memory: Memory
    score: float


def read_page(
    records: MemoryRecords, ranked: Ranked, place: str, where: MemoryFilter, top_k: int
) -> list[Placed]:
    """Read the best from the records until the page is full or the ranking ends.

    What was deleted, or no longer satisfies the filter, gives way to the next. A record may lower
    its score, never raise it: once the page holds ``top_k`` of at least the score of the next in
    the ranking, nothing further down can enter it.

    Raises:
        UnavailableError: The records cannot be reached.
    """
    page: list[Placed] = []
    order = ranked.order.tolist()
    for rows in _slices(order, top_k):
        if len(page) >= top_k and page[top_k - 1].score >= _score(ranked, rows[0]):
            break
        ids = ranked.pool.ids
        found = records.get_many(place, [ids[row] for row in rows])
        live = [(row, found[ids[row]]) for row in rows if ids[row] in found]
        page += [_placed(ranked, row, memory) for row, memory in live if matches(where, memory)]
        page.sort(key=lambda placed: -placed.score)
    return page[:top_k]


def _placed(ranked: Ranked, row: int, memory: Memory) -> Placed:
    score = _score(ranked, row)
    if ranked.profile is RankingProfile.CONTEXT:
        score *= penalty(memory)
    return Placed(row=row, memory=memory, score=score)


def _score(ranked: Ranked, row: int) -> float:
    return float(ranked.scores.values[row])


def _slices(rows: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
