"""Have the best of a ranking read again, together with the query."""

from dataclasses import dataclass

import numpy as np

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.ranking.ranker import Ranked
from omoide.domain.ranking.reranked import reranked
from omoide.ports.memory_records import MemoryRecords
from omoide.ports.reranker import Reranker
from omoide.services.scoring import scored_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerank:
    """Asks a reranker about the best memories of a ranking.

    Attributes:
        records: Holds their texts.
        reranker: Judges them.
    """

    records: MemoryRecords
    reranker: Reranker

    def __call__(self, ranked: Ranked, place: str, query: str) -> tuple[Ranked, bool]:
        """Return the ranking with the reranker's word in it, and whether it had its say.

        Args:
            ranked: The ranking so far.
            place: The namespace.
            query: What was asked.

        Raises:
            UnavailableError: The records cannot be reached.
        """
        best: list[int] = ranked.order[: self.reranker.depth].tolist()
        ids = ranked.pool.ids
        found = self.records.get_many(place, [ids[row] for row in best])
        rows = [row for row in best if ids[row] in found]
        if not rows:
            return ranked, True
        texts = [scored_text(found[ids[row]]) for row in rows]
        try:
            scores = self.reranker.judge(query, texts)
        except ModelUnavailableError:
            return ranked, False
        places = np.array(rows, dtype=np.int64)
        return reranked(ranked, places, scores, self.reranker.weight), True
