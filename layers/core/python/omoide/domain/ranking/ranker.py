"""The ranking: from a pool to an order, the same whichever engine nominated it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from omoide.domain.candidates import Pool
from omoide.domain.decay import FadingColumns, recent_accesses, strengths
from omoide.domain.memory import Use
from omoide.domain.model_profile import RankingWeights
from omoide.domain.ranking.dense_similarity import dense_similarity
from omoide.domain.ranking.explain import Explanation, explain
from omoide.domain.ranking.fusion import fuse_ranks
from omoide.domain.ranking.options import Fusion, RankingOptions, RankingProfile, SearchMode
from omoide.domain.ranking.profiles import Scores, State, score
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.relevance import (
    AssessedStage,
    Relevance,
    WeightedPart,
    adjust,
    assess,
    weigh,
)
from omoide.domain.ranking.stage import Part, Values
from omoide.domain.ranking.stages import LEXICAL_STAGES, VECTOR_STAGES
from omoide.domain.recency import half_life_recency, week_recency


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A ranked pool of ``n`` memories.

    Attributes:
        pool: What was ranked.
        query: What it was ranked for.
        order: ``(n,)`` rows, best first: by score, then by unclipped relevance, then the newest,
            then the greatest id.
        similarity: ``(n,)`` `sim`, unclipped; NaN without vectors.
        relevance: How relevant each is, and why.
        scores: What each is ordered by, and why.
        profile: The profile used.
        prepared: What it was made from.
    """

    pool: Pool
    query: QueryFeatures
    order: NDArray[np.int64]
    similarity: Values
    relevance: Relevance
    scores: Scores
    profile: RankingProfile
    prepared: "Prepared"

    def explain(self, row: int) -> Explanation:
        """Tell how the score of a row came about."""
        return explain(row, self.profile.value, self.relevance, self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """All that a ranking of ``n`` memories needs but weights.

    Attributes:
        pool: What is to be ranked.
        query: What it is ranked for.
        options: Mode, profile, fusion.
        stages: What each stage of relevance says.
        dense: `sim`.
        state: How the memories stand now.
    """

    pool: Pool
    query: QueryFeatures
    options: RankingOptions
    stages: tuple[AssessedStage, ...]
    dense: Part
    state: State


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
    return arrange(prepare(pool, query, options, uses, query.model.weights), query.model.weights)


def prepare(
    pool: Pool,
    query: QueryFeatures,
    options: RankingOptions,
    uses: Mapping[str, Use] | None = None,
    weights: RankingWeights | None = None,
) -> Prepared:
    """Return everything of a ranking that does not depend on the weights of relevance.

    Args:
        pool: The nominated memories.
        query: The query; its terms are those of the pool's columns.
        options: Mode, profile, fusion.
        uses: Access counters by memory id, for strength.
        weights: Stages without a weight here are not looked at; None looks at all.
    """
    return Prepared(
        pool=pool,
        query=query,
        options=options,
        stages=() if _is_fixed(options) else assess(pool, query, _left_out(options), weights),
        dense=dense_similarity(pool, query, np.zeros(len(pool.ids))),
        state=_state(pool, query, options, uses or {}),
    )


def arrange(prepared: Prepared, weights: RankingWeights) -> Ranked:
    """Rank what was prepared."""
    return ranked_by(_relevance(prepared, weights), prepared)


def ranked_by(relevance: Relevance, prepared: Prepared) -> Ranked:
    """Rank what was prepared by a relevance, however it came about."""
    pool, options, dense = prepared.pool, prepared.options, prepared.dense
    scores = score(pool, relevance.values, prepared.state, options)
    return Ranked(
        pool=pool,
        query=prepared.query,
        order=_order(pool, scores.values, relevance.unclipped),
        similarity=np.where(dense.applies, dense.values, np.nan),
        relevance=relevance,
        scores=scores,
        profile=options.profile,
        prepared=prepared,
    )


def _is_fixed(options: RankingOptions) -> bool:
    """Whether relevance is made without weights."""
    return options.fusion is Fusion.RRF or _is_similarity_alone(options)


def _is_similarity_alone(options: RankingOptions) -> bool:
    return options.profile is RankingProfile.ALPHA and options.mode is SearchMode.SEMANTIC


def _left_out(options: RankingOptions) -> frozenset[str]:
    if options.mode is SearchMode.SEMANTIC:
        return options.without | LEXICAL_STAGES
    if options.mode is SearchMode.LEXICAL:
        return options.without | VECTOR_STAGES
    return options.without


def _relevance(prepared: Prepared, weights: RankingWeights) -> Relevance:
    if _is_similarity_alone(prepared.options):
        part = WeightedPart(name="dense", weight=1.0, part=prepared.dense)
        return Relevance(unclipped=prepared.dense.values, parts=(part,))
    if prepared.options.fusion is Fusion.RRF:
        return fuse_ranks(prepared.pool, prepared.options)
    pool, query = prepared.pool, prepared.query
    weighed = weigh(prepared.stages, len(pool.ids), weights)
    return adjust(weighed, pool, query, _left_out(prepared.options), weights)


def _state(
    pool: Pool, query: QueryFeatures, options: RankingOptions, uses: Mapping[str, Use]
) -> State:
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
    return State(
        strength=strengths(columns, query.now),
        recency=half_life_recency(pool.event_time, query.now, options.half_life_days),
        week_recency=week_recency(pool.event_time, query.now),
        accesses=recent_accesses(columns.uses, query.now),
    )


def _order(pool: Pool, scores: Values, relevance: Values) -> NDArray[np.int64]:
    rows = np.argsort(np.array(pool.ids, dtype=np.str_), kind="stable")[::-1]
    for key in (pool.created_at, relevance, scores):
        rows = rows[np.argsort(-key[rows], kind="stable")]
    return rows
