"""The ranking: from a pool to an order, the same whichever engine nominated it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.decay import FadingColumns, strengths
from omoide.domain.memory import Use
from omoide.domain.ranking.dense_similarity import dense_similarity
from omoide.domain.ranking.explain import Explanation, explain
from omoide.domain.ranking.fusion import fuse_ranks
from omoide.domain.ranking.options import Fusion, RankingOptions, RankingProfile, SearchMode
from omoide.domain.ranking.profiles import Scores, score
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.relevance import Relevance, WeightedPart, weigh
from omoide.domain.ranking.stage import Part, Values
from omoide.domain.ranking.stages import LEXICAL_STAGES, VECTOR_STAGES
from omoide.domain.recency import half_life_recency


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A ranked pool of ``n`` memories.

    Attributes:
        pool: What was ranked.
        order: ``(n,)`` rows, best first: by score, then by unclipped relevance, then the newest,
            then the greatest id.
        similarity: ``(n,)`` `sim`, unclipped; NaN without vectors.
        relevance: How relevant each is, and why.
        scores: What each is ordered by, and why.
        profile: The profile used.
    """

    pool: Pool
    order: NDArray[np.int64]
    similarity: Values
    relevance: Relevance
    scores: Scores
    profile: RankingProfile

    def explain(self, row: int) -> Explanation:
        """Tell how the score of a row came about."""
        return explain(row, self.profile.value, self.relevance, self.scores)


class Ranker(Protocol):
    """A function that orders a pool."""

    def __call__(
        self,
        pool: Pool,
        query: QueryFeatures,
        options: RankingOptions,
        uses: Mapping[str, Use] | None = None,
    ) -> Ranked:
        """Rank a pool; see `rank`."""
        ...


def rank(
    pool: Pool,
    query: QueryFeatures,
    options: RankingOptions,
    uses: Mapping[str, Use] | None = None,
) -> Ranked:
    """Rank a pool.

    Args:
        pool: The nominated memories.
        query: The query; its terms are those of the pool's columns.
        options: Mode, profile, fusion.
        uses: Access counters by memory id, for strength.
    """
    dense = dense_similarity(pool, query, np.zeros(len(pool.ids)))
    relevance = _relevance(pool, query, options, dense)
    recency = half_life_recency(pool.event_time, query.now, options.half_life_days)
    scores = score(pool, relevance.values, _strength(pool, query, uses or {}), recency, options)
    return Ranked(
        pool=pool,
        order=_order(pool, scores.values, relevance.unclipped),
        similarity=np.where(dense.applies, dense.values, np.nan),
        relevance=relevance,
        scores=scores,
        profile=options.profile,
    )


def _relevance(pool: Pool, query: QueryFeatures, options: RankingOptions, dense: Part) -> Relevance:
    if options.profile is RankingProfile.ALPHA and options.mode is SearchMode.SEMANTIC:
        part = WeightedPart(name="dense", weight=1.0, part=dense)
        return Relevance(unclipped=dense.values, parts=(part,))
    if options.fusion is Fusion.RRF:
        return fuse_ranks(pool, options)
    without = options.without
    if options.mode is SearchMode.SEMANTIC:
        without |= LEXICAL_STAGES
    elif options.mode is SearchMode.LEXICAL:
        without |= VECTOR_STAGES
    return weigh(pool, query, without)


def _strength(pool: Pool, query: QueryFeatures, uses: Mapping[str, Use]) -> Values:
    columns = FadingColumns(
        memory_types=pool.memory_types,
        importance=pool.importance,
        arousal=pool.arousal,
        pinned=pool.pinned,
        resolved=pool.resolved,
        created_at=pool.created_at,
        last_activated_at=pool.last_activated_at,
        uses=[uses.get(memory_id) for memory_id in pool.ids],
    )
    return strengths(columns, query.now)


def _order(pool: Pool, scores: Values, relevance: Values) -> NDArray[np.int64]:
    rows = np.argsort(np.array(pool.ids, dtype=np.str_), kind="stable")[::-1]
    for key in (pool.created_at, relevance, scores):
        rows = rows[np.argsort(-key[rows], kind="stable")]
    return rows
