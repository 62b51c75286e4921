"""What a caller may choose about a ranking."""

from dataclasses import dataclass
from enum import StrEnum

DEFAULT_ALPHA = 0.7
DEFAULT_HALF_LIFE_DAYS = 30.0
DEFAULT_EXPLORATION = 0.05


class SearchMode(StrEnum):
    """What a search looks at."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    LEXICAL = "lexical"


class RankingProfile(StrEnum):
    """How relevance, age and strength make a score."""

    SEARCH = "search"
    ALPHA = "alpha"
    CONTEXT = "context"
    MOOD = "mood"


class Fusion(StrEnum):
    """How relevance comes about: from every part of the score, or from the arms' ranks alone."""

    WEIGHTED = "weighted"
    RRF = "rrf"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Choices of one search.

    Attributes:
        mode: What the search looks at.
        profile: How the score is made.
        fusion: How relevance is made.
        alpha: Share of relevance in the ``alpha`` profile, 0..1.
        half_life_days: Age at which recency is one half.
        current_valence: Mood of the asker for the ``mood`` profile, -1..1.
        exploration: How much the ``context`` profile favours what was seldom recalled, 0..1.
        without: Names of stages of relevance and of factors of the ``search`` profile left out, to
            see what they give.
    """

    mode: SearchMode = SearchMode.HYBRID
    profile: RankingProfile = RankingProfile.SEARCH
    fusion: Fusion = Fusion.WEIGHTED
    alpha: float = DEFAULT_ALPHA
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS
    current_valence: float = 0.0
    exploration: float = DEFAULT_EXPLORATION
    without: frozenset[str] = frozenset()
