"""How much a retrieval looks at: the stages of the cascade."""

from enum import StrEnum

from omoide.domain.intent import Urgency


class CascadeStage(StrEnum):
    """Each stage looks at more than the one before, and takes longer.

    ``fast`` compares meanings alone; ``precision`` searches as a search does, by meaning and
    words, and looks at every token of the best; ``deep`` does so with a larger pool.
    """

    FAST = "fast"
    PRECISION = "precision"
    DEEP = "deep"


_STAGES = {
    Urgency.HIGH: CascadeStage.FAST,
    Urgency.NORMAL: CascadeStage.PRECISION,
    Urgency.LOW: CascadeStage.DEEP,
}


def stage_for(urgency: Urgency) -> CascadeStage:
    """The stage of a query whose words tell how soon, or how thoroughly, it wants an answer."""
    return _STAGES[urgency]
