"""What retrieval must reach on the evaluation sets."""

from collections.abc import Sequence
from dataclasses import dataclass

from infra.local.evaluation.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A figure that must not fall below.

    Attributes:
        evaluation: Name of the set.
        group: Row of its report.
        measure: Field of `infra.local.evaluation.metrics.Measures`.
        at_least: 0..1.
    """

    evaluation: str
    group: str
    measure: str
    at_least: float


TARGETS = (
    Target(evaluation="locomo_dev", group="all", measure="recall_10", at_least=0.833),
    Target(evaluation="locomo_dev", group="all", measure="ndcg_10", at_least=0.70),
    Target(evaluation="locomo_dev", group="all", measure="any_10", at_least=0.89),
    Target(evaluation="locomo_dev", group="1 multi-hop", measure="recall_10", at_least=0.55),
    Target(evaluation="locomo_dev", group="5 adversarial", measure="recall_10", at_least=0.92),
    Target(evaluation="multilingual_dev", group="all", measure="any_1", at_least=0.84),
    Target(evaluation="multilingual_dev", group="all", measure="any_10", at_least=0.966),
    Target(evaluation="multilingual_dev", group="cross_lingual", measure="any_10", at_least=0.90),
    Target(evaluation="korean", group="all", measure="any_1", at_least=0.80),
)


def missed(reports: Sequence[Report]) -> list[str]:
    """One line for each target that a report does not reach."""
    lines: list[str] = []
    for report in reports:
        for target in TARGETS:
            if target.evaluation == report.name:
                value: float | None = getattr(report.group(target.group), target.measure)
                if value is None or value < target.at_least:
                    lines.append(
                        f"{target.evaluation}, {target.group}: {target.measure} is "
                        f"{value}, must be at least {target.at_least}"
                    )
    return lines
