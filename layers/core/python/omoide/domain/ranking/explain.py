"""Telling how a score came about."""

from dataclasses import dataclass

from omoide.domain.ranking.profiles import Scores
from omoide.domain.ranking.relevance import Relevance


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPart:
    """One part of the relevance of one memory.

    Attributes:
        name: Name of the stage.
        weight: Its weight.
        value: What it said, 0 where it does not apply.
        applies: Whether query and memory can have it; others are left out of the mean.
        is_extra: Whether it adds to the mean without being part of the denominator.
    """

    name: str
    weight: float
    value: float
    applies: bool
    is_extra: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Every part of one score.

    Attributes:
        profile: The ranking profile.
        score: What the result is ordered by.
        relevance: ``sum(weight * value) / sum(weight)`` over the parts that apply, extra parts
            not in the denominator, clipped to 0..1.
        parts: The parts of relevance.
        factors: What the profile adds to relevance, by name.
    """

    profile: str
    score: float
    relevance: float
    parts: tuple[ExplainedPart, ...]
    factors: dict[str, float]


def explain(row: int, profile: str, relevance: Relevance, scores: Scores) -> Explanation:
    """Return the explanation of one row of a pool."""
    return Explanation(
        profile=profile,
        score=float(scores.values[row]),
        relevance=float(relevance.values[row]),
        parts=tuple(
            ExplainedPart(
                name=p.name,
                weight=p.weight,
                value=float(p.part.values[row]) if p.part.applies[row] else 0.0,
                applies=bool(p.part.applies[row]),
                is_extra=p.is_extra,
            )
            for p in relevance.parts
        ),
        factors={name: float(values[row]) for name, values in scores.factors.items()},
    )
