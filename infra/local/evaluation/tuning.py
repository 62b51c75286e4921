"""Fitting the weights of the ranking to a user's own queries, and telling whether that helped.

The queries are halved. On one half each weight is tried a step larger and smaller in turn, and what
helps is kept (coordinate ascent), once for each part left out of four; the mean of the four is the
fit, as weights that one part alone asks for do not last. The other half, which the fit never saw,
decides: unless the fit is better there too, the present weights stay.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace

from infra.local.evaluation.metrics import Measures, mean
from infra.local.evaluation.recording import Asked
from omoide.domain.errors import InvalidRequestError
from omoide.domain.model_profile import RankingWeights
from omoide.domain.ranking.ranker import Prepared

LEAST_QUERIES = 40
"""With fewer, chance decides."""

_PARTS = 4
_STEPS = (1.6, 1.25)
_LEAST_GAIN = 1e-4
_NAMES = tuple(field.name for field in fields(RankingWeights))

Stepped = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """The outcome of a tuning.

    Attributes:
        before: The weights before.
        weights: Those to use: the fitted ones if they are better on the held half.
        is_better: Whether they are.
        fitted: The fitted weights.
        compared: How many settings were compared.
        seen: Measures of the half that was fitted, before and after.
        held: Measures of the other half, before and after.
        counts: Queries of both halves.
        model_id: The embedding model that they belong to.
    """

    before: RankingWeights
    weights: RankingWeights
    is_better: bool
    fitted: RankingWeights
    compared: int
    seen: tuple[Measures, Measures]
    held: tuple[Measures, Measures]
    counts: tuple[int, int]
    model_id: str


class _Half:
    """Queries with what the stages say of them."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.asked = asked
        self._prepared: list[Prepared] = [one.prepare() for one in asked]
        self.compared = 0

    def measures(self, weights: RankingWeights) -> list[Measures]:
        """Measures of each query under some weights."""
        self.compared += 1
        pairs = zip(self.asked, self._prepared, strict=True)
        return [one.measure(prepared, weights) for one, prepared in pairs]


def tune(asked: Sequence[Asked], weights: RankingWeights, stepped: Stepped) -> Tuned:
    """Fit weights to queries.

    Args:
        asked: Queries as searches ranked them; those without an answer are left out.
        weights: The present weights.
        stepped: Told after each of `steps` steps.

    Raises:
        InvalidRequestError: Too few queries have an answer.
    """
    answered = [one for one in asked if one.query.relevant and not one.is_apart]
    if len(answered) < LEAST_QUERIES:
        problem = f"has {len(answered)} queries with an answer, tuning needs {LEAST_QUERIES}"
        raise InvalidRequestError.of("queries", problem)
    ordered = sorted(answered, key=_shuffled)
    seen, held = _Half(ordered[::2]), _Half(ordered[1::2])
    fitted = _fit(seen, weights, stepped)
    on_seen = mean(seen.measures(weights)), mean(seen.measures(fitted))
    on_held = mean(held.measures(weights)), mean(held.measures(fitted))
    is_better = _worth(on_held[1]) > _worth(on_held[0])
    return Tuned(
        before=weights,
        weights=fitted if is_better else weights,
        is_better=is_better,
        fitted=fitted,
        compared=seen.compared,
        seen=on_seen,
        held=on_held,
        counts=(len(seen.asked), len(held.asked)),
        model_id=answered[0].features.model.model_id,
    )


def steps() -> int:
    """How often a tuning tells that it is a step further."""
    return _PARTS * len(_STEPS) * len(_NAMES)


def _fit(half: _Half, weights: RankingWeights, stepped: Stepped) -> RankingWeights:
    fits = [_ascend(half, weights, part, stepped) for part in range(_PARTS)]
    sums = {name: sum(getattr(fit, name) for fit in fits) for name in _NAMES}
    return RankingWeights(**{name: total / _PARTS for name, total in sums.items()})


def _ascend(half: _Half, weights: RankingWeights, part: int, stepped: Stepped) -> RankingWeights:
    """Better weights for all queries but every fourth."""

    def worth(tried: RankingWeights) -> float:
        measured = half.measures(tried)
        return _worth(mean([m for i, m in enumerate(measured) if i % _PARTS != part]))

    best, best_worth = weights, worth(weights)
    for step in _STEPS:
        for name in _NAMES:
            value: float = asdict(best)[name]
            for factor in (step, 1 / step) if value else ():
                tried = replace(best, **{name: value * factor})
                reached = worth(tried)
                if reached > best_worth + _LEAST_GAIN:
                    best, best_worth = tried, reached
            stepped(1)
    return best


def _worth(measures: Measures) -> float:
    """What is maximised: recall and order of the first ten, less what must not lead."""
    recall, order = measures.recall_10 or 0.0, measures.ndcg_10 or 0.0
    return recall + order - (measures.violations or 0.0) / 2


def _shuffled(asked: Asked) -> bytes:
    """An order that has nothing to do with that of the file, the same in every run."""
    return hashlib.blake2b(f"{asked.corpus}\n{asked.query.text}".encode()).digest()
