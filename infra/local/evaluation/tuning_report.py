"""What a tuning gave, for a terminal and as JSON."""

from dataclasses import asdict

from infra.local.evaluation.metrics import Measures
from infra.local.evaluation.tuning import Tuned

_SHOWN = {"recall_10": "recall@10", "ndcg_10": "NDCG@10", "any_1": "any@1", "any_10": "any@10"}


def tuning_table(tuned: Tuned) -> str:
    """The measures of both halves before and after, and the weights; shares in percent."""
    lines = [f"{'':34}" + "".join(f"{title:>11}" for title in _SHOWN.values())]
    halves = (("half fitted to", tuned.seen), ("held half", tuned.held))
    for (name, (before, after)), count in zip(halves, tuned.counts, strict=True):
        lines.append(_line(f"{name}, {count} queries, before", before))
        lines.append(_line(f"{name}, {count} queries, after", after))
    lines += ["", f"{tuned.compared} settings compared. {_verdict(tuned)}", ""]
    old, new = asdict(tuned.before), asdict(tuned.fitted)
    lines += [f"{name:20}{old[name]:8.2f} ->{new[name]:6.2f}" for name in old]
    return "\n".join(lines)


def tuning_json(tuned: Tuned) -> dict[str, object]:
    """Every figure, as JSON values."""
    return {
        "is_better": tuned.is_better,
        "compared": tuned.compared,
        "queries": {"fitted": tuned.counts[0], "held": tuned.counts[1]},
        "fitted": [asdict(measures) for measures in tuned.seen],
        "held": [asdict(measures) for measures in tuned.held],
        "before": asdict(tuned.before),
        "after": asdict(tuned.fitted),
    }


def _line(name: str, measures: Measures) -> str:
    values = [getattr(measures, field) for field in _SHOWN]
    return f"{name:34}" + "".join(f"{100 * value:>11.1f}" for value in values)


def _verdict(tuned: Tuned) -> str:
    if tuned.is_better:
        return "The fitted weights are better on the held half, too."
    return "On the held half they are no better: the present weights stay."
