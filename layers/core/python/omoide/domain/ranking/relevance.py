"""Relevance: the weighted mean of the parts that query and memory can both have."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Stage, Values
from omoide.domain.ranking.stages import SURROUNDING_STAGES, TEXT_STAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPart:
    """A part with its name and weight; an extra one is not part of the denominator."""

    name: str
    weight: float
    part: Part
    is_extra: bool = False


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


def weigh(pool: Pool, query: QueryFeatures, without: frozenset[str]) -> Relevance:
    """Return ``sum(w * s) / sum(w)``.

    Args:
        pool: The nominated memories.
        query: The query.
        without: Names of stages to leave out.
    """
    nothing = np.zeros(len(pool.ids))
    text = list(_weighted(TEXT_STAGES, pool, query, nothing, without))
    match = text_match(text, len(pool.ids))
    around = _weighted(SURROUNDING_STAGES, pool, query, match, without)
    parts = (*text, *around)
    return Relevance(unclipped=combine(parts, len(pool.ids)), parts=parts)


def text_match(parts: Iterable[WeightedPart], size: int) -> Values:
    """Return ``(n,)`` F, the match of the text itself: (.3 lexical + .3 dense + late) / 1.6."""
    shares = {stage.name: stage.text_match for stage in TEXT_STAGES}
    shared = [
        WeightedPart(name=p.name, weight=shares[p.name], part=p.part)
        for p in parts
        if shares[p.name] > 0
    ]
    return combine(shared, size)


def combine(parts: Iterable[WeightedPart], size: int) -> Values:
    """Return ``(n,)`` weighted means; extra parts are not in the denominator."""
    total = np.zeros(size)
    weight = np.zeros(size)
    for p in parts:
        total += np.where(p.part.applies, p.weight * p.part.values, 0.0)
        if not p.is_extra:
            weight += p.weight * p.part.applies
    return np.divide(total, weight, out=np.zeros(size), where=weight > 0)


def _weighted(
    stages: Iterable[Stage],
    pool: Pool,
    query: QueryFeatures,
    match: Values,
    without: frozenset[str],
) -> Iterable[WeightedPart]:
    weights = query.model.weights
    for stage in stages:
        weight = stage.weight(weights)
        if stage.name not in without and (weight or stage.text_match):
            part = stage.score(pool, query, match)
            yield WeightedPart(name=stage.name, weight=weight, part=part, is_extra=stage.is_extra)
