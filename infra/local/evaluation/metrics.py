"""How good a ranking is: the usual measures of retrieval."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

_CUT = 10
_DEEP_CUT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Measures of one query, or their means over several; None where nothing was measured.

    Attributes:
        recall_10: Share of the relevant memories among the first 10.
        any_1: Whether the first is relevant.
        any_5: Whether one of the first 5 is.
        any_10: Whether one of the first 10 is.
        mrr_10: 1 / rank of the first relevant one, 0 beyond rank 10.
        ndcg_10: Discounted gain of the first 10 over the best possible (Järvelin and Kekäläinen
            2002), with the grades as gains.
        recall_50: Share of the relevant memories among the first 50.
        violations: Whether a memory that must not lead ranks above every relevant one.
        low_confidence: Whether the answer was marked as unlikely.
    """

    recall_10: float | None = None
    any_1: float | None = None
    any_5: float | None = None
    any_10: float | None = None
    mrr_10: float | None = None
    ndcg_10: float | None = None
    recall_50: float | None = None
    violations: float | None = None
    low_confidence: float | None = None


def measure(
    found: Sequence[str],
    relevant: Mapping[str, int],
    *,
    must_not_top: Sequence[str] = (),
    found_deep: Sequence[str] | None = None,
    low_confidence: bool | None = None,
) -> Measures:
    """Measure one ranking.

    Args:
        found: Ids, best first; at least 10 if there are so many.
        relevant: Grade of each relevant memory, above 0; empty for a query without an answer.
        must_not_top: Memories which must not rank above every relevant one.
        found_deep: Ids to a depth of 50; None leaves ``recall_50`` out.
        low_confidence: What the answer said of itself.
    """
    flag = None if low_confidence is None else float(low_confidence)
    if not relevant:
        return Measures(low_confidence=flag)
    hits = [memory_id in relevant for memory_id in found[:_CUT]]
    first = hits.index(True) if any(hits) else None
    return Measures(
        recall_10=sum(hits) / len(relevant),
        any_1=float(any(hits[:1])),
        any_5=float(any(hits[:5])),
        any_10=float(any(hits)),
        mrr_10=0.0 if first is None else 1 / (first + 1),
        ndcg_10=_ndcg(found[:_CUT], relevant),
        recall_50=None if found_deep is None else _recall(found_deep[:_DEEP_CUT], relevant),
        violations=_violates(found, relevant, must_not_top) if must_not_top else None,
        low_confidence=flag,
    )


def mean(measures: Sequence[Measures]) -> Measures:
    """The mean of each measure over the queries that have it."""
    means: dict[str, float | None] = {}
    for field in fields(Measures):
        values = [v for m in measures if (v := getattr(m, field.name)) is not None]
        means[field.name] = sum(values) / len(values) if values else None
    return Measures(**means)


def _recall(found: Sequence[str], relevant: Mapping[str, int]) -> float:
    return sum(memory_id in relevant for memory_id in found) / len(relevant)


def _ndcg(found: Sequence[str], relevant: Mapping[str, int]) -> float:
    best = sorted(relevant.values(), reverse=True)[:_CUT]
    return _gain([relevant.get(memory_id, 0) for memory_id in found]) / _gain(best)


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades))


def _violates(
    found: Sequence[str], relevant: Mapping[str, int], must_not_top: Sequence[str]
) -> float:
    ranks = {memory_id: rank for rank, memory_id in enumerate(found)}
    beyond = len(found)
    best = min(ranks.get(memory_id, beyond) for memory_id in relevant)
    return float(any(ranks.get(memory_id, beyond) < best for memory_id in must_not_top))
