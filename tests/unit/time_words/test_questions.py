import pytest

from omoide.domain.time_words import Order, asks_now, asks_past, asks_when, order_asked


@pytest.mark.parametrize(
    "query",
    [
        "When did we meet Anna?",
        "when's the deadline",
        "Do you know when he left?",
        "What day did she leave",
        "which year was the move",
        "how long ago did I start",
        "since when do I work here",
        "When?",
        "いつ会った？",
        "いつから働いている",
        "何日に届いた？",
        "何曜日だった",
        "何年前に始めた",
        "什么时候见面的",
        "언제 만났어?",
    ],
)
def test_questions_about_when_are_told(query: str) -> None:
    assert asks_when(query)


@pytest.mark.parametrize(
    "query",
    [
        "what did I say when we met",
        "remember when we went to Rome",
        "what time zone is the user in",
        "whenever it rains",
        "いつも何を食べる",
        "いつか行きたい場所",
        "いつでも大丈夫",
        "where did we meet",
    ],
)
def test_other_questions_are_not_about_when(query: str) -> None:
    assert not asks_when(query)


@pytest.mark.parametrize(
    "query",
    [
        "where did I use to live",
        "the car he used to drive",
        "where did I live before?",
        "my previous job",
        "her old phone number",
        "what did I call it back then",
        "以前はどこに住んでいた",
        "昔の趣味",
        "前の会社",
        "前は何を使っていた",
        "もともとの計画",
        "以前住在哪里",
        "예전 직장",
    ],
)
def test_questions_about_what_once_was_are_told(query: str) -> None:
    assert asks_past(query)


@pytest.mark.parametrize(
    "query",
    [
        "where do I live",
        "前の金曜の会議",
        "3日以前の話",
        "old friends of mine",
        "昔話の本",
        "come before noon",
    ],
)
def test_other_questions_are_not_about_what_once_was(query: str) -> None:
    assert not asks_past(query)


@pytest.mark.parametrize(
    "query",
    [
        "where do I live now",
        "my current job",
        "do I still have a cat",
        "the latest version",
        "今どこに住んでる",
        "現在の仕事",
        "最新の住所",
        "现在住在哪里",
        "지금 사는 곳",
    ],
)
def test_questions_about_what_is_now_are_told(query: str) -> None:
    assert asks_now(query)


@pytest.mark.parametrize("query", ["今日は何を食べた", "今度の旅行", "I know him", "今年の目標"])
def test_other_questions_are_not_about_now(query: str) -> None:
    assert not asks_now(query)


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("the first time we met", Order.FIRST),
        ("my earliest memory", Order.FIRST),
        ("最初に行った国", Order.FIRST),
        ("初めて会った日", Order.FIRST),
        ("when did I last see her", Order.LAST),
        ("the last time we talked", Order.LAST),
        ("most recent update", Order.LAST),
        ("最後に会ったのは", Order.LAST),
        ("前回の会議", Order.LAST),
        ("what is her first name", None),
        ("last week's meeting", None),
        ("at last", None),
        ("first of all, where is it", None),
    ],
)
def test_the_order_asked_for_is_told(query: str, order: Order | None) -> None:
    assert order_asked(query) is order
