"""A ridge-penalised logistic regression, small enough to be fitted once for every left-out row."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_STEPS = 25
_STEEPEST = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Weights on the features as they are.

    Attributes:
        weights: ``(f,)``.
        bias: What is added.
    """

    weights: Array
    bias: float

    def scores(self, features: Array) -> Array:
        """``(n,)`` log odds."""
        return features @ self.weights + self.bias


def fit(features: Array, labels: Array, importance: Array, *, penalty: float = 3.0) -> Fit:
    """Fit by Newton's method (iteratively reweighted least squares) on standardised features.

    Args:
        features: ``(n, f)``.
        labels: ``(n,)`` 0 or 1.
        importance: ``(n,)`` how much each row counts.
        penalty: Of the squared weights; the bias has none.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    rows = np.column_stack(((features - mean) / spread, np.ones(len(features))))
    ridge = np.diag([*(penalty for _ in mean), 1e-6])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -_STEEPEST, _STEEPEST)))
        curvature = (rows * (importance * chance * (1 - chance))[:, np.newaxis]).T @ rows + ridge
        weights += np.linalg.solve(
            curvature, rows.T @ (importance * (labels - chance)) - ridge @ weights
        )
    scaled = weights[:-1] / spread
    return Fit(weights=scaled, bias=float(weights[-1] - scaled @ mean))


def leave_one_out(
    features: Array, labels: Array, importance: Array, among: NDArray[np.bool_]
) -> Array:
    """Return ``(n,)`` the log odds of each row under a fit without it.

    Args:
        features: ``(n, f)``.
        labels: ``(n,)`` 0 or 1.
        importance: ``(n,)``.
        among: ``(n,)`` which rows fits are made of; others are scored by the fit of all of these.
    """
    whole = fit(features[among], labels[among], importance[among])
    scores = whole.scores(features)
    for row in np.flatnonzero(among):
        rest = among.copy()
        rest[row] = False
        scores[row] = fit(features[rest], labels[rest], importance[rest]).scores(features[[row]])[0]
    return scores
