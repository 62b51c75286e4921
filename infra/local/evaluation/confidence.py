"""How often ``low_confidence`` is right, and the fit of its weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infra.local.evaluation.answers import Answer
from infra.local.evaluation.logistic import Array, fit, leave_one_out
from omoide.domain.ranking.confidence_features import ConfidenceFeatures, confidence_features
from omoide.domain.ranking.low_confidence import (
    NOT_STORED_FEATURES,
    OFF_TOPIC_FEATURES,
    is_low_confidence,
)

_IMPORTANCE = {"updated_facts": 0.1, "languages": 0.3}
"""How much an answerable query counts, by set; 1 elsewhere. The updated facts ask for what is
worded in ways that no search finds, the languages are easy."""
_FALSE_OFF_TOPIC, _FALSE_NOT_STORED = 0.02, 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """Features of all answers that have them."""

    answers: list[Answer]
    features: list[ConfidenceFeatures]

    def columns(self, names: Sequence[str]) -> Array:
        return np.array([[getattr(f, name) for name in names] for f in self.features])


def flagged(found: Sequence[Answer]) -> str:
    """Tell which share of the answers is marked, by set."""
    lines = [f"{'low_confidence':44}{'queries':>8}{'marked':>9}"]
    for name, some in _kinds(found).items():
        marked = sum(is_low_confidence(answer.ranked) for answer in some)
        lines.append(f"{name:44}{len(some):8,}{100 * marked / len(some):8.1f} %")
    return "\n".join(lines)


def fit_confidence(found: Sequence[Answer]) -> str:
    """Tell the weights and limits that fit, and how right they are, leaving one out."""
    table = _table(found)
    answerable = np.array([a.is_answerable for a in table.answers])
    off_topic = np.array([a.is_off_topic for a in table.answers])
    importance = np.array([_IMPORTANCE.get(a.evaluation, 1.0) for a in table.answers])
    lines: list[str] = []
    marks = np.zeros(len(table.answers), dtype=np.bool_)
    for name, names, positive, share in (
        ("OFF_TOPIC", OFF_TOPIC_FEATURES, off_topic, _FALSE_OFF_TOPIC),
        ("NOT_STORED", NOT_STORED_FEATURES, ~answerable & ~off_topic, _FALSE_NOT_STORED),
    ):
        columns, among = table.columns(names), answerable | positive
        counts = np.where(positive, importance[answerable].sum() / positive.sum(), importance)
        labels = positive.astype(np.float64)
        scores = leave_one_out(columns, labels, counts, among)
        marks |= scores > _limit(scores[answerable], importance[answerable], share)
        whole = fit(columns[among], labels[among], counts[among])
        limit = _limit(whole.scores(columns)[answerable], importance[answerable], share)
        told = ", ".join(f'"{n}": {w:.2f}' for n, w in zip(names, whole.weights, strict=True))
        lines.append(f"{name}: weights {{{told}}}, limit {limit - whole.bias:.2f}")
    lines += ["", f"{'leaving one out':44}{'queries':>8}{'marked':>9}"]
    rows = {id(a): mark for a, mark in zip(table.answers, marks, strict=True)}
    for name, some in _kinds(table.answers).items():
        share = np.mean([rows[id(a)] for a in some])
        lines.append(f"{name:44}{len(some):8,}{100 * share:8.1f} %")
    return "\n".join(lines)


def _limit(scores: Array, importance: Array, share: float) -> float:
    """The score that this share of the answerable passes."""
    order = np.argsort(-scores, kind="stable")
    passed = np.cumsum(importance[order]) / importance.sum()
    return float(scores[order][np.searchsorted(passed, share)])


def _table(found: Sequence[Answer]) -> _Table:
    pairs = [(answer, confidence_features(answer.ranked)) for answer in found]
    return _Table(
        answers=[answer for answer, features in pairs if features is not None],
        features=[features for _, features in pairs if features is not None],
    )


def _kinds(found: Sequence[Answer]) -> dict[str, list[Answer]]:
    kinds: dict[str, list[Answer]] = {}
    for answer in found:
        side = "has an answer" if answer.is_answerable else "has none"
        kinds.setdefault(f"{answer.evaluation}: {side}", []).append(answer)
    both = [a for a in found if not a.is_off_topic and a.evaluation != "languages"]
    both = [a for a in both if a.evaluation != "updated_facts"]
    kinds["all on the topic: has an answer"] = [a for a in both if a.is_answerable]
    kinds["all on the topic: has none"] = [a for a in both if not a.is_answerable]
    return {name: some for name, some in kinds.items() if some}
