"""Relevance: the weighted mean of the parts that query and memory can both have."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.model_profile import RankingWeights
from omoide.domain.ranking.late_interaction import compare_words
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.speaker import without_names
from omoide.domain.ranking.stage import NamedStage, Part, Stage, Values
from omoide.domain.ranking.stages import (
    ADJUSTING_STAGES,
    SURROUNDING_STAGES,
    TEXT_STAGES,
    WORD_STAGES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPart:
    """A part with its name and weight; an extra one is not part of the denominator."""

    name: str
    weight: float
    part: Part
    is_extra: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedStage:
    """A stage and what it says of a pool."""

    stage: NamedStage
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How relevant each memory of a pool is.

    Attributes:
        unclipped: ``(n,)`` relevance before it is clipped: it orders what is equal after.
        parts: What it is made of.
        is_absolute: Whether it compares between queries; ranks do not.
    """

    unclipped: Values
    parts: tuple[WeightedPart, ...]
    is_absolute: bool = True

    @property
    def values(self) -> Values:
        """``(n,)`` relevance, 0..1."""
        return np.clip(self.unclipped, 0.0, 1.0)


def assess(
    pool: Pool,
    query: QueryFeatures,
    without: frozenset[str],
    weights: RankingWeights | None = None,
) -> tuple[AssessedStage, ...]:
    """Return what each stage says, before any weight.

    Args:
        pool: The nominated memories.
        query: The query.
        without: Names of stages to leave out.
        weights: Stages without a weight here are left out too, unless the text match is made of
            them; None leaves out none.
    """
    nothing = np.zeros(len(pool.ids))
    named = query if "speaker" in without else without_names(pool, query)
    words = list(_assessed_words(pool, named, without, weights))
    text = list(_assessed(TEXT_STAGES, pool, query, nothing, without, weights))
    match = text_match([*words, *text], len(pool.ids))
    around = _assessed(SURROUNDING_STAGES, pool, query, match, without, weights)
    return (*words, *text, *around)


def weigh(stages: Iterable[AssessedStage], size: int, weights: RankingWeights) -> Relevance:
    """Return ``sum(w * s) / sum(w)`` over what was assessed of ``size`` memories."""
    parts = tuple(
        WeightedPart(
            name=a.stage.name,
            weight=a.stage.weight(weights),
            part=a.part,
            is_extra=a.stage.is_extra,
        )
        for a in stages
    )
    return Relevance(unclipped=combine(parts, size), parts=parts)


def adjust(
    relevance: Relevance,
    pool: Pool,
    query: QueryFeatures,
    without: frozenset[str],
    weights: RankingWeights,
) -> Relevance:
    """Return relevance with what the stages that look at the order add to it."""
    for stage in ADJUSTING_STAGES:
        weight = stage.weight(weights)
        if weight and stage.name not in without:
            part = stage.score(pool, query, relevance.unclipped)
            unclipped = relevance.unclipped + np.where(part.applies, weight * part.values, 0.0)
            scaled = replace(
                part, values=part.values * denominators(relevance.parts, len(pool.ids))
            )
            added = WeightedPart(name=stage.name, weight=weight, part=scaled, is_extra=True)
            relevance = replace(relevance, unclipped=unclipped, parts=(*relevance.parts, added))
    return relevance


def text_match(stages: Iterable[AssessedStage], size: int) -> Values:
    """Return ``(n,)`` F, the match of the text itself: (.3 lexical + .3 dense + late) / 1.6."""
    shared = [
        WeightedPart(name=a.stage.name, weight=a.stage.text_match, part=a.part)
        for a in stages
        if a.stage.text_match > 0
    ]
    return combine(shared, size)


def combine(parts: Iterable[WeightedPart], size: int) -> Values:
    """Return ``(n,)`` weighted means; extra parts are not in the denominator."""
    parts = tuple(parts)
    total = np.zeros(size)
    for p in parts:
        total += np.where(p.part.applies, p.weight * p.part.values, 0.0)
    weight = denominators(parts, size)
    return np.divide(total, weight, out=np.zeros(size), where=weight > 0)


def denominators(parts: Iterable[WeightedPart], size: int) -> Values:
    """Return ``(n,)`` what the weights of the parts that apply sum up to, extra parts left out."""
    weight = np.zeros(size)
    for p in parts:
        if not p.is_extra:
            weight += p.weight * p.part.applies
    return weight


def _assessed_words(
    pool: Pool, query: QueryFeatures, without: frozenset[str], weights: RankingWeights | None
) -> Iterator[AssessedStage]:
    wanted = [stage for stage in WORD_STAGES if _is_wanted(stage, without, weights)]
    if wanted:
        words = compare_words(pool, query)
        for stage in wanted:
            yield AssessedStage(stage=stage, part=stage.score(pool, query, words))


def _assessed(
    stages: Iterable[Stage],
    pool: Pool,
    query: QueryFeatures,
    match: Values,
    without: frozenset[str],
    weights: RankingWeights | None,
) -> Iterator[AssessedStage]:
    for stage in stages:
        if _is_wanted(stage, without, weights):
            yield AssessedStage(stage=stage, part=stage.score(pool, query, match))


def _is_wanted(stage: NamedStage, without: frozenset[str], weights: RankingWeights | None) -> bool:
    has_weight = weights is None or stage.weight(weights) != 0 or stage.text_match > 0
    return has_weight and stage.name not in without
