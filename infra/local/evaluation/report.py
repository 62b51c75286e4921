"""Figures of an evaluation as a table and as JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from infra.local.evaluation.evaluation_set import EvaluationSet
from infra.local.evaluation.measuring import MeasuredQuery
from infra.local.evaluation.metrics import Measures, mean
from infra.local.evaluation.settings_compared import WHOLE

_TITLES = {
    "recall_10": "recall@10",
    "any_1": "any@1",
    "any_5": "any@5",
    "any_10": "any@10",
    "mrr_10": "MRR@10",
    "ndcg_10": "NDCG@10",
    "recall_50": "recall@50",
    "violations": "violations",
    "low_confidence": "low conf.",
}
_NAME_WIDTH = 30
_COLUMN_WIDTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table.

    Attributes:
        name: What it is about.
        count: Queries it is a mean of.
        measures: The means.
    """

    name: str
    count: int
    measures: Measures


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one evaluation set gave.

    Attributes:
        name: The set.
        model: Embedding model and revision.
        memories: How many were stored.
        groups: The default ranking: overall, then by category and language.
        compared: Every variant, overall.
    """

    name: str
    model: str
    memories: int
    groups: tuple[Row, ...]
    compared: tuple[Row, ...]

    @property
    def overall(self) -> Measures:
        """The default ranking over every query that counts."""
        return self.groups[0].measures

    def group(self, name: str) -> Measures:
        """The measures of a category or language.

        Raises:
            KeyError: There is no such group.
        """
        for row in self.groups:
            if row.name == name:
                return row.measures
        raise KeyError(name)

    def as_json(self) -> dict[str, object]:
        """Every figure, as JSON values."""
        return {
            "set": self.name,
            "model": self.model,
            "memories": self.memories,
            "groups": [_json(row) for row in self.groups],
            "compared": [_json(row) for row in self.compared],
        }

    def table(self) -> str:
        """Every figure, for a terminal; shares in percent."""
        head = f"{self.name}: {self.memories:,} memories, {self.model}"
        lines = [head, _head(), *map(_line, self.groups)]
        if len(self.compared) > 1:
            lines += ["", "what each part gives", _head(), *map(_line, self.compared)]
        return "\n".join(lines)


def report(evaluation: EvaluationSet, model: str, measured: Sequence[MeasuredQuery]) -> Report:
    """Sum up what was measured."""
    whole = [m for m in measured if m.variant == WHOLE]
    counted = [m for m in whole if _counts(evaluation, m)]
    categories = sorted({m.query.category for m in whole if m.query.category})
    languages = sorted({m.query.language for m in counted if m.query.language})
    groups = [_row("all", counted)]
    groups += [_row(c, [m for m in whole if m.query.category == c]) for c in categories]
    groups += [
        _row(f"language {x}", [m for m in counted if m.query.language == x]) for x in languages
    ]
    names = list(dict.fromkeys(m.variant for m in measured))
    compared = [
        _row(name, [m for m in measured if m.variant == name and _counts(evaluation, m)])
        for name in names
    ]
    return Report(
        name=evaluation.name,
        model=model,
        memories=evaluation.memory_count,
        groups=tuple(groups),
        compared=tuple(compared),
    )


def _counts(evaluation: EvaluationSet, measured: MeasuredQuery) -> bool:
    """Whether a query is part of the overall figures: it has an answer and stands not apart."""
    return bool(measured.query.relevant) and measured.query.category not in evaluation.apart


def _row(name: str, measured: Iterable[MeasuredQuery]) -> Row:
    measures = [m.measures for m in measured]
    return Row(name=name, count=len(measures), measures=mean(measures))


def _json(row: Row) -> dict[str, object]:
    measures = {field.name: getattr(row.measures, field.name) for field in fields(Measures)}
    return {"name": row.name, "queries": row.count, **measures}


def _head() -> str:
    return f"{'':{_NAME_WIDTH}}{'queries':>{_COLUMN_WIDTH}}" + "".join(
        f"{title:>{_COLUMN_WIDTH + 1}}" for title in _TITLES.values()
    )


def _line(row: Row) -> str:
    values = (getattr(row.measures, name) for name in _TITLES)
    cells = ("-" if value is None else f"{100 * value:.1f}" for value in values)
    return f"{row.name:{_NAME_WIDTH}}{row.count:>{_COLUMN_WIDTH},}" + "".join(
        f"{cell:>{_COLUMN_WIDTH + 1}}" for cell in cells
    )
