"""The measures of retrieval, by hand."""

import math

import pytest

from infra.local.evaluation.metrics import Measures, mean, measure

FOUND = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]


def test_a_perfect_ranking_is_perfect() -> None:
    got = measure(["a", "b", "c"], {"a": 3, "b": 1}, found_deep=["a", "b", "c"])

    assert got == Measures(
        recall_10=1.0,
        any_1=1.0,
        any_5=1.0,
        any_10=1.0,
        mrr_10=1.0,
        ndcg_10=1.0,
        recall_50=1.0,
    )


def test_every_measure_counts_ranks_as_its_name_says() -> None:
    got = measure(FOUND, {"f": 1, "k": 1}, found_deep=FOUND)

    assert got.recall_10 == 0.5
    assert (got.any_1, got.any_5, got.any_10) == (0.0, 0.0, 1.0)
    assert got.mrr_10 == pytest.approx(1 / 6)
    assert got.ndcg_10 == pytest.approx((1 / math.log2(7)) / (1 + 1 / math.log2(3)))
    assert got.recall_50 == 1.0


def test_grades_are_gains() -> None:
    got = measure(["low", "high"], {"high": 3, "low": 1})

    assert got.ndcg_10 == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_nothing_found_is_nothing() -> None:
    got = measure([], {"a": 1})

    assert (got.recall_10, got.any_10, got.mrr_10, got.ndcg_10) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("found", "violates"),
    [(["old", "new"], 1.0), (["new", "old"], 0.0), (["old"], 1.0), (["x"], 0.0)],
)
def test_what_must_not_lead_violates_above_every_relevant_one(
    found: list[str], violates: float
) -> None:
    assert measure(found, {"new": 1}, must_not_top=["old"]).violations == violates


def test_a_query_without_an_answer_is_measured_by_its_confidence_alone() -> None:
    assert measure(FOUND, {}, low_confidence=True) == Measures(low_confidence=1.0)


def test_means_leave_out_what_was_not_measured() -> None:
    got = mean([Measures(any_1=1.0, violations=1.0), Measures(any_1=0.0), Measures()])

    assert (got.any_1, got.violations, got.recall_10) == (0.5, 1.0, None)
