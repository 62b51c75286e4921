"""The lexical part is a share of what the query could score."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.analysis import Script
from omoide.domain.candidates import FieldStatistics
from omoide.domain.lexical import inverse_document_frequency, quantised_length
from omoide.domain.ranking.lexical_share import lexical_share, share_of_possible
from tests.unit.ranking.pools import Member, pool_of, query_of


def statistics(count: int, average: float, *frequency: float) -> FieldStatistics:
    return FieldStatistics(
        document_count=count,
        average_length=average,
        document_frequency=np.array(frequency, dtype=np.float64),
    )


def test_it_is_bm25_over_its_upper_bound() -> None:
    found = share_of_possible(
        np.array([[2, 0]], dtype=np.uint8),
        np.array([20], dtype=np.float32),
        statistics(9, 10, 3, 0),
    )

    idf = [math.log(1 + 6.5 / 3.5), math.log(1 + 9.5 / 0.5)]
    gain = 2 / (2 + 0.9 * (0.6 + 0.4 * 20 / 10))
    assert found[0] == pytest.approx(idf[0] * gain / sum(idf))


@given(
    counts=st.lists(st.integers(0, 255), min_size=3, max_size=3),
    length=st.integers(0, 100_000),
    frequency=st.lists(st.integers(0, 50), min_size=3, max_size=3),
)
def test_it_lies_between_nothing_and_everything(
    counts: list[int], length: int, frequency: list[int]
) -> None:
    found = share_of_possible(
        np.array([counts], dtype=np.uint8),
        np.array([length], dtype=np.float32),
        statistics(50, 12.5, *frequency),
    )

    assert 0 <= found[0] <= 1


def test_an_empty_namespace_gives_nothing() -> None:
    found = share_of_possible(
        np.zeros((1, 1), dtype=np.uint8), np.zeros(1, dtype=np.float32), statistics(0, 0, 0)
    )

    assert found.tolist() == [0.0]


def test_it_is_left_out_across_disjoint_scripts() -> None:
    pool = pool_of(
        Member(id="a", scripts=Script.LATIN),
        Member(id="b", scripts=Script.HAN | Script.KANA),
        Member(id="c", scripts=Script(0)),
    )

    applies = lexical_share(pool, query_of(scripts=Script.HAN), np.zeros(3)).applies

    assert applies.tolist() == [False, True, True]


def test_it_is_left_out_of_a_query_without_terms() -> None:
    pool = pool_of(Member(id="a"))

    assert not lexical_share(pool, query_of(terms=0), np.zeros(1)).applies.any()


@pytest.mark.parametrize(
    ("length", "kept"),
    [(0, 0), (39, 39), (40, 40), (41, 40), (57, 56), (100, 96), (1_000, 984), (70_000, 65_560)],
)
def test_lengths_are_kept_as_lucenes_norms_keep_them(length: int, kept: int) -> None:
    assert quantised_length(np.array([length])).tolist() == [kept]


@given(st.lists(st.integers(0, 2**31 - 1), min_size=1))
def test_quantised_lengths_rise_with_the_length_and_never_pass_it(lengths: list[int]) -> None:
    ordered = np.sort(np.array(lengths, dtype=np.int64))

    kept = quantised_length(ordered).astype(np.float64)

    assert (np.diff(kept) >= 0).all()
    assert (kept <= ordered * (1 + 1e-6)).all()
    assert (kept >= ordered * 0.88).all()


def test_rare_terms_weigh_more_and_none_weighs_less_than_nothing() -> None:
    weights = inverse_document_frequency(100, np.array([0.0, 1.0, 50.0, 100.0, 130.0]))

    assert (np.diff(weights) <= 0).all()
    assert (weights > 0).all()
