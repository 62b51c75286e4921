"""Fits the rule of `omoide.domain.surfacing.moment` to labelled moments.

Logistic regression with a ridge. A moment of need is right; small talk is wrong, and so is, with
less weight, whatever one user says asked of the memories of another: otherwise the cues alone would
decide. The floor is where, in cross-validation, a set share of the small talk stays silent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from functions import composition
from infra.local.evaluation.moments import NOW, Moment, read_moments
from infra.local.evaluation.surfacing import known_users
from omoide.domain.surfacing.cues import cues_of
from omoide.domain.surfacing.moment import MOST_SURFACED, features
from omoide.services.search_memories import SearchAnswer
from omoide.services.surface_memories import SurfaceQuery, match_of

RIDGE = 3.0
OF_OTHERS = 0.3
"""Weight of a useful moment asked of another user's memories."""

SMALL_TALK_OF_OTHERS = 0.15
SILENCE = 0.97
"""Share of the small talk that the floor keeps silent, so that 95 % hold elsewhere."""

_FOLDS, _SEEDS = 10, 5
_ROUNDS = 50

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Every moment asked of every user's memories: ``n`` rows of ``f`` features.

    Attributes:
        values: ``(n, f)``.
        names: ``f`` names.
        is_right: ``(n,)`` bool, a moment of need asked of the memories of who has it.
        is_small_talk: ``(n,)`` bool, asked of one's own memories.
        is_helped: ``(n,)`` bool, what would be shown helps.
        weights: ``(n,)``.
        texts: ``(n,)`` number of the moment, which stays in one fold.
    """

    values: Floats
    names: tuple[str, ...]
    is_right: NDArray[np.bool_]
    is_small_talk: NDArray[np.bool_]
    is_helped: NDArray[np.bool_]
    weights: Floats
    texts: NDArray[np.int64]


def fit_surfacing(folder: Path) -> str:
    """Fit the rule to the dev half; returns its constants and how it does in cross-validation.

    Raises:
        InvalidRequestError: A line of the folder cannot be understood.
    """
    moments = read_moments(folder, "dev")
    with known_users(folder) as labels:
        rows = _rows(moments, sorted({moment.user for moment in moments}), labels)
    floors: list[float] = []
    helped: list[float] = []
    for seed in range(_SEEDS):
        judged = _cross_validated(rows, seed)
        floor = float(np.quantile(judged[rows.is_small_talk], SILENCE, method="higher"))
        floors.append(floor)
        fires = judged > floor
        helped.append(float(np.mean((fires & rows.is_helped)[rows.is_right])))
    constants, bias = _fit(rows.values, rows.is_right, rows.weights)
    lines = [f"{name:18}{value:9.4f}" for name, value in zip(rows.names, constants, strict=True)]
    lines += [f"{'bias':18}{bias:9.4f}", f"{'floor':18}{np.mean(floors):9.4f}"]
    told = f"cross-validated: {100 * np.mean(helped):.1f} % helped where {SILENCE:.0%} are silent"
    return "\n".join([*lines, told])


def _rows(moments: Sequence[Moment], users: Sequence[str], labels: dict[str, str]) -> _Rows:
    seen: list[dict[str, float]] = []
    facts: list[tuple[bool, bool, bool, float, int]] = []
    for number, moment in enumerate(moments):
        for user in users:
            answer = _found(moment, user)
            results = answer.results
            matches = [match_of(result) for result in results]
            seen.append(features(cues_of(moment.text), answer.information, matches))
            near = {labels[result.view.memory.id] for result in results}
            is_own, is_useful = user == moment.user, moment.is_useful
            weight = 1.0 if is_own else OF_OTHERS if is_useful else SMALL_TALK_OF_OTHERS
            facts.append(
                (
                    is_own and is_useful,
                    is_own and not is_useful,
                    bool(near & moment.relevant),
                    weight,
                    number,
                )
            )
    right, small_talk, helped, weights, texts = map(np.array, zip(*facts, strict=True))
    return _Rows(
        values=np.array([list(one.values()) for one in seen]),
        names=tuple(seen[0]),
        is_right=right,
        is_small_talk=small_talk,
        is_helped=helped,
        weights=weights,
        texts=texts,
    )


def _found(moment: Moment, user: str) -> SearchAnswer:
    query = SurfaceQuery(context=moment.text, session_id="fit", namespace=user)
    return composition.search_memories().find(user, query.search(MOST_SURFACED), NOW)


def _cross_validated(rows: _Rows, seed: int) -> Floats:
    """``(n,)`` what each row is judged by a rule that has not seen its moment."""
    count = int(rows.texts.max()) + 1
    folds = (np.random.default_rng(seed).permutation(count) % _FOLDS)[rows.texts]
    judged = np.zeros(len(folds))
    for fold in range(_FOLDS):
        others = folds != fold
        constants, bias = _fit(rows.values[others], rows.is_right[others], rows.weights[others])
        judged[~others] = rows.values[~others] @ constants + bias
    return judged


def _fit(values: Floats, right: NDArray[np.bool_], weights: Floats) -> tuple[Floats, float]:
    """Newton's method for a weighted logistic regression with a ridge on scaled features."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    ridge = RIDGE * np.append(np.ones(values.shape[1]), 0.0)
    beta = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-scaled @ beta))
        slope = scaled.T @ (weights * (chance - right)) + ridge * beta
        bend = (scaled.T * (weights * chance * (1 - chance))) @ scaled + np.diag(ridge + 1e-9)
        beta -= np.linalg.solve(bend, slope)
    constants = beta[:-1] / spread
    return constants, float(beta[-1] - constants @ mean)
