"""Identity and measured constants of an embedding model."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The range in which a model's similarity carries meaning.

    Attributes:
        floor: 95th percentile over unrelated pairs.
        ceiling: 95th percentile over paraphrase pairs.
    """

    floor: float
    ceiling: float

    def normalise(self, value: float) -> float:
        """Map ``floor`` to 0 and ``ceiling`` to 1, unclipped."""
        return (value - self.floor) / (self.ceiling - self.floor)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingWeights:
    """Weights of the parts of relevance; 0 switches a part off."""

    late: float = 1.0
    late_nearby: float = 0.8
    late_session: float = 0.7
    dense: float = 0.5
    lexical: float = 0.5
    lexical_nearby: float = 0.6
    previous_question: float = 0.7
    next_turn: float = 0.25
    session: float = 0.7
    speaker: float = 0.6
    time: float = 1.2
    tells_time: float = 0.6
    identifiers: float = 0.4
    question: float = -0.3
    association: float = 1.3
    newer_first: float = 1.0
    event_order: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfile:
    """What ranking needs to know of an embedding model.

    Attributes:
        model_id: Name in ``models.toml`` or of the user's folder.
        revision: Short hash of everything that shapes its vectors; vectors of two revisions are
            never compared.
        dims: Length of a vector.
        max_tokens: Window of the model in pieces, special tokens included.
        has_token_vectors: Whether late interaction is possible.
        dense: Scale of the cosine of pooled vectors, texts of the same script.
        dense_cross_script: The same for texts of different scripts.
        late: Scale of the late interaction, texts of the same script.
        late_cross_script: The same for texts of different scripts.
        weights: Weights of the parts of relevance.
    """

    model_id: str
    revision: str
    dims: int
    max_tokens: int
    has_token_vectors: bool
    dense: Scale
    dense_cross_script: Scale
    late: Scale
    late_cross_script: Scale
    weights: RankingWeights = field(default_factory=RankingWeights)
