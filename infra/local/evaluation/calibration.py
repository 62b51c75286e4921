"""Whether scores mean what they say: of results said to be right at .8, four in five should be."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from infra.local.evaluation.answers import Answer, script_pair
from infra.local.evaluation.logistic import Array, fit
from omoide.domain.ranking.calibration import (
    PROBABILITY_FEATURES,
    probability,
    probability_features,
)

_RESULTS = 5
"""Results of an answer that are looked at."""
_EDGES = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)


def reliability(found: Sequence[Answer]) -> str:
    """Tell how often results are right, by what is said of them, and for pairs of languages."""
    said, right, pairs = _results(found)
    lines = [f"{'probability':32}{'results':>8}{'said':>8}{'right':>8}"]
    lines += _rows("all", said, right)
    for pair in sorted(set(pairs)):
        of_pair = np.array([p == pair for p in pairs])
        lines.append(
            f"{pair:32}{int(of_pair.sum()):8,}{said[of_pair].mean():8.2f}{right[of_pair].mean():8.2f}"
        )
    error = float(np.mean((said - right) ** 2))
    lines.append(f"Brier score {error:.3f}; of always saying the mean {right.var():.3f}")
    return "\n".join(lines)


def fit_probability(found: Sequence[Answer]) -> str:
    """Tell the weights that the answers give."""
    rows: list[Array] = []
    right: list[float] = []
    for answer in found:
        features = probability_features(answer.ranked)
        for row in answer.ranked.order[:_RESULTS]:
            rows.append(features[int(row)])
            right.append(float(answer.is_right(int(row))))
    fitted = fit(np.array(rows), np.array(right), np.ones(len(right)), penalty=1.0)
    told = ", ".join(
        f'"{name}": {weight:.2f}'
        for name, weight in zip(PROBABILITY_FEATURES, fitted.weights, strict=True)
    )
    return f"PROBABILITY: weights {{{told}}}, bias {fitted.bias:.2f}"


def _results(found: Sequence[Answer]) -> tuple[Array, Array, list[str]]:
    said: list[float] = []
    right: list[float] = []
    pairs: list[str] = []
    for answer in found:
        chances = probability(answer.ranked)
        if chances is None:
            continue
        for row in answer.ranked.order[:_RESULTS]:
            said.append(float(chances[int(row)]))
            right.append(float(answer.is_right(int(row))))
            pairs.append(script_pair(answer, int(row)))
    return np.array(said), np.array(right), pairs


def _rows(name: str, said: Array, right: Array) -> list[str]:
    lines: list[str] = []
    for low, high in pairwise(_EDGES):
        of_bin = (said >= low) & ((said < high) | (high == _EDGES[-1]))
        if of_bin.any():
            label = f"{name}, {low:.1f} to {high:.1f}"
            lines.append(
                f"{label:32}{int(of_bin.sum()):8,}{said[of_bin].mean():8.2f}{right[of_bin].mean():8.2f}"
            )
    return lines
