"""Text becomes terms the same way everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.analysis import (
    Script,
    analyse,
    asks,
    is_question,
    query_terms,
    scripts_of,
    term_key,
    terms_of,
)
from omoide.domain.stop_words import STOP_WORDS


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("用户服务器部署在腾讯云国内节点", "腾讯云"),
        ("重跑gen-itgc后", "itgc"),
        ("ﾏｽｷﾝｸﾞﾃｰﾌﾟを注文した", "マスキングテープ"),
        ("ＭＮＴ－１４８２を直した", "mnt-1482"),
        ("Melanie was painting sunrises", "PAINTED sunrise"),
        ("카페에서 만났다", "카페"),
        ("書店の前で待つ", "店"),
        ("She ordered a café au lait", "cafe"),
        ("встретились в парке", "ПАРКЕ"),
        ("हिन्दी में किताब", "किताब"),
    ],
)
def test_every_term_of_the_query_is_found_in_the_text(stored: str, asked: str) -> None:
    terms = query_terms(asked)

    assert len(terms)
    assert np.isin(terms, analyse(stored).keys).all()


def test_runs_break_where_the_script_changes() -> None:
    assert list(terms_of("重跑gen-itgc后")) == ["重跑", "重", "跑", "gen", "itgc", "后"]


def test_half_width_kana_are_composed_and_keep_the_long_vowel() -> None:
    assert list(terms_of("ｶﾞﾁｬｰ")) == list(terms_of("ガチャー"))
    assert "ャー" in list(terms_of("ｶﾞﾁｬｰ"))


def test_decomposed_kana_equal_composed_kana() -> None:
    assert list(terms_of("か\u3099くせい")) == list(terms_of("がくせい"))


def test_single_kana_are_terms_only_where_they_stand_alone() -> None:
    assert "り" not in list(terms_of("しりとり"))
    assert list(terms_of("Aり")) == ["り"]


def test_numbers_and_codes_keep_their_form() -> None:
    assert list(terms_of("E-4012 sets 3200")) == ["e", "4012", "set", "3200"]


def test_stop_words_of_every_language_are_left_out() -> None:
    assert list(terms_of("what did you do with the")) == []
    assert "です" not in list(terms_of("休みです"))
    assert "什么" not in list(terms_of("什么时候"))
    assert "어디" not in list(terms_of("어디"))


def test_negations_are_noise_in_a_search() -> None:
    assert list(terms_of("do not smoke, never")) == ["smoke"]
    assert {"cannot", "ない", "没有", "안"} <= STOP_WORDS


def test_counts_stop_at_a_byte() -> None:
    counted = analyse("boat " * 300)

    assert counted.counts.tolist() == [255]


def test_the_most_frequent_terms_are_kept_when_there_are_too_many() -> None:
    counted = analyse("alpha beta beta gamma gamma gamma", limit=2)

    assert set(counted.keys.tolist()) == {term_key("beta"), term_key("gamma")}


@given(st.text(max_size=200))
def test_terms_of_any_text_are_sorted_distinct_and_counted(text: str) -> None:
    counted = analyse(text)

    assert (np.diff(counted.keys.astype(object)) > 0).all()
    assert (counted.counts > 0).all()
    assert set(query_terms(text).tolist()) == set(counted.keys.tolist())


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("plain English", Script.LATIN),
        ("東京", Script.HAN),
        ("東京タワー", Script.HAN | Script.KANA),
        ("서울", Script.HANGUL),
        ("Москва", Script.CYRILLIC),
        ("42 - 17", Script(0)),
        ("กรุงเทพ", Script.OTHER),
        ("Spring Bootを使う", Script.LATIN | Script.KANA),
        ("決済基盤チームで、Goではない言語を使って書いている人の集まり", Script.HAN | Script.KANA),
    ],
)
def test_scripts_are_those_of_a_tenth_of_the_letters(text: str, scripts: Script) -> None:
    assert scripts_of(text) == scripts


@pytest.mark.parametrize("text", ["Really?", "本当に？", 'He said "why?"', "行く？」", "ok? "])
def test_a_text_that_ends_in_a_question_mark_is_a_question(text: str) -> None:
    assert is_question(text)
    assert asks(text)


def test_a_question_inside_a_text_only_asks() -> None:
    assert asks("Ready? Let us go.")
    assert not is_question("Ready? Let us go.")
    assert not asks("No.")
