"""Which state of things a query asks for."""

import pytest

from omoide.domain.tense import Tense, asks_plan, tense_of


@pytest.mark.parametrize(
    ("query", "tense"),
    [
        ("Where do I live?", Tense.OPEN),
        ("Where do I live now?", Tense.NOW),
        ("今の住所は？", Tense.NOW),
        ("지금 요금제는 얼마예요?", Tense.NOW),
        ("Where did I live before Lyon?", Tense.ONCE),
        ("What was my previous phone number?", Tense.ONCE),
        ("リヨンの前はどこに住んでいた？", Tense.ONCE),
        ("更新前の家賃は？", Tense.ONCE),
        ("以前の主治医は誰？", Tense.ONCE),
        ("Wo habe ich früher gearbeitet?", Tense.ONCE),
        ("¿Dónde vivía antes?", Tense.ONCE),
        ("Где я жил раньше?", Tense.ONCE),
        ("搬家之前我住在哪里？", Tense.ONCE),
        ("Who was my doctor?", Tense.PAST),
        ("健診はどうだった？", Tense.PAST),
        ("How do I go back to the previous version?", Tense.OPEN),
        ("前の状態に戻すには？", Tense.OPEN),
        ("妹の名前は？", Tense.OPEN),
        ("毎日やることは？", Tense.OPEN),
    ],
)
def test_a_query_tells_the_state_it_asks_for(query: str, tense: Tense) -> None:
    assert tense_of(query) is tense


@pytest.mark.parametrize("query", ["名前の読み方", "お名前は？", "手前の店", "駅前の本屋は？"])
def test_the_character_for_before_in_other_words_is_no_past(query: str) -> None:
    assert tense_of(query) is Tense.OPEN


@pytest.mark.parametrize(
    ("query", "is_plan"),
    [
        ("11月の予定を一覧にして", True),
        ("What are my plans for the summer?", True),
        ("What did we eat in November?", False),
        ("先週は何をした？", False),
    ],
)
def test_a_question_about_plans_is_recognised(query: str, is_plan: bool) -> None:
    assert asks_plan(query) is is_plan
