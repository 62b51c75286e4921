"""From relevance to score: what age, importance, strength and feeling add."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.options import RankingOptions, RankingProfile
from omoide.domain.ranking.stage import Values

RECENCY_WEIGHT = 0.05
IMPORTANCE_WEIGHT = 0.05
STRENGTH_WEIGHT = 0.05
PINNED_FACTOR = 1.1
MOOD_WEIGHT = 0.15
CONTEXT_RELEVANCE = 0.5
CONTEXT_TRUST = 0.3
CONTEXT_RECENCY = 0.2
SEARCH_FACTORS = ("recency_half_life", "importance", "strength")
"""Factors of the ``search`` profile that can be left out."""
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What a profile makes of relevance.

    Attributes:
        values: ``(n,)`` scores, which order the results and may exceed 1.
        factors: What they are made of beside relevance, by name, each ``(n,)``.
    """

    values: Values
    factors: dict[str, Values]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How the memories of a pool stand now.

    Attributes:
        strength: ``(n,)`` 0..1.
        recency: ``(n,)`` half-life recency, 0..1.
        week_recency: ``(n,)`` .5 after a week, 0..1.
        accesses: ``(n,)`` recalls of the last 30 days, faded to now.
    """

    strength: Values
    recency: Values
    week_recency: Values
    accesses: Values


Profile = Callable[[Pool, Values, State, RankingOptions], Scores]


def score(pool: Pool, relevance: Values, state: State, options: RankingOptions) -> Scores:
    """Score a pool by the profile of the options.

    Args:
        pool: The nominated memories.
        relevance: ``(n,)`` 0..1.
        state: How they stand now.
        options: Names the profile and its constants.
    """
    return _PROFILES[options.profile](pool, relevance, state, options)


def _search(pool: Pool, relevance: Values, state: State, options: RankingOptions) -> Scores:
    strength, recency = state.strength, state.recency
    importance = pool.importance.astype(np.float64)
    adds = {
        "recency_half_life": RECENCY_WEIGHT * recency,
        "importance": IMPORTANCE_WEIGHT * (importance - _MIDDLE),
        "strength": STRENGTH_WEIGHT * (strength - _MIDDLE),
    }
    factor = 1 + sum(add for name, add in adds.items() if name not in options.without)
    pinned = np.where(pool.pinned, PINNED_FACTOR, 1.0)
    factors = {
        "recency_half_life": recency,
        "importance": importance,
        "strength": strength,
        "pinned_factor": pinned,
    }
    return Scores(values=relevance * factor * pinned, factors=factors)


def _alpha(_pool: Pool, relevance: Values, state: State, options: RankingOptions) -> Scores:
    recency = state.recency
    values = options.alpha * relevance + (1 - options.alpha) * recency
    factors = {"alpha": np.full(len(values), options.alpha), "recency_half_life": recency}
    return Scores(values=values, factors=factors)


def _context(pool: Pool, relevance: Values, state: State, options: RankingOptions) -> Scores:
    trust = pool.confidence.astype(np.float64) * state.strength
    novelty = 1 / (1 + state.accesses)
    share = options.exploration
    values = CONTEXT_RELEVANCE * relevance + CONTEXT_TRUST * trust
    values = values + CONTEXT_RECENCY * state.week_recency + share * novelty
    factors = {
        "trust": trust,
        "recency_week": state.week_recency,
        "exploration": share * novelty,
    }
    return Scores(values=values / (1 + share), factors=factors)


def _mood(pool: Pool, relevance: Values, state: State, options: RankingOptions) -> Scores:
    base = _search(pool, relevance, state, options)
    distance = np.abs(pool.valence.astype(np.float64) - options.current_valence)
    likeness = (1 - distance / 2) * pool.arousal.astype(np.float64)
    factors = {**base.factors, "mood": likeness}
    return Scores(values=base.values + MOOD_WEIGHT * likeness, factors=factors)


_PROFILES: dict[RankingProfile, Profile] = {
    RankingProfile.SEARCH: _search,
    RankingProfile.ALPHA: _alpha,
    RankingProfile.CONTEXT: _context,
    RankingProfile.MOOD: _mood,
}
