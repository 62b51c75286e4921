"""How much a retrieval looks at: the stages of the cascade."""

from enum import StrEnum


class CascadeStage(StrEnum):
    """Each stage looks at more than the one before, and takes longer.

    ``fast`` compares meanings alone; ``precision`` searches as a search does, by meaning and
    words, and looks at every token of the best; ``deep`` does so with a larger pool.
    """

    FAST = "fast"
    PRECISION = "precision"
    DEEP = "deep"
