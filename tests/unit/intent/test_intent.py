from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.intent import Intent, Urgency, intent_of
from omoide.domain.memory import MemoryType
from omoide.domain.time_words import Order

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
EPISODIC, SEMANTIC, PROCEDURAL, PROSPECTIVE = MemoryType


def intent(query: str) -> Intent:
    return intent_of(query, now=NOW, zone=ZoneInfo("Asia/Tokyo"))


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("How do I deploy the service?", PROCEDURAL),
        ("steps to reset the router", PROCEDURAL),
        ("how did we fix the build", PROCEDURAL),
        ("デプロイの手順は？", PROCEDURAL),
        ("味噌汁の作り方", PROCEDURAL),
        ("如何安装", PROCEDURAL),
        ("설치 방법", PROCEDURAL),
        ("When did we meet?", EPISODIC),
        ("what happened at the party", EPISODIC),
        ("did I call the bank", EPISODIC),
        ("いつ引っ越した？", EPISODIC),
        ("会議で何を話したっけ", EPISODIC),
        ("昨日の夕食", EPISODIC),
        ("what does Mia prefer", SEMANTIC),
        ("favourite food", SEMANTIC),
        ("who is Tanaka", SEMANTIC),
        ("好きな食べ物", SEMANTIC),
        ("誕生日は？", SEMANTIC),
        ("喜欢吃什么", SEMANTIC),
        ("remind me about the dentist", PROSPECTIVE),
        ("my to-do list", PROSPECTIVE),
        ("what do I have to do", PROSPECTIVE),
        ("what is on next week", PROSPECTIVE),
        ("締め切りはいつ", PROSPECTIVE),
        ("来週の予定", PROSPECTIVE),
    ],
)
def test_words_hint_at_types_of_memories(query: str, kind: MemoryType) -> None:
    assert kind in intent(query).memory_types


@pytest.mark.parametrize("query", ["the blue car", "青い車", "Kyoto", "メモ"])
def test_queries_without_hints_may_be_about_any_type(query: str) -> None:
    assert intent(query).memory_types == ()


@pytest.mark.parametrize(
    ("query", "entities"),
    [
        ("What did Caroline say to Melanie?", ("Caroline", "Melanie")),
        ("Anna said she moved", ("Anna",)),
        ("Tell me about Project Apollo", ("Project Apollo",)),
        ("the University of Tokyo", ("University of Tokyo",)),
        ("Bob's brother", ("Bob",)),
        ('what does "Charlotte\'s Web" mean', ("Charlotte's Web",)),
        ("fix for PR-142 in v2.3.1", ("PR-142", "v2.3.1")),
        ("mail to anna@example.com about @bob", ("anna@example.com", "@bob")),
        ("ＭＮＴ－１４８２の内容", ("MNT-1482",)),
        ("田中さんの好きな食べ物", ("田中",)),
        ("佐藤様と鈴木君", ("佐藤", "鈴木")),
        ("マイケル・ジョーダンの「夜と霧」", ("マイケル・ジョーダン", "夜と霧")),
        ("SNSで発信する", ("SNS",)),
        ("Anna and anna", ("Anna",)),
    ],
)
def test_names_quotations_and_identifiers_are_found(query: str, entities: tuple[str, ...]) -> None:
    assert intent(query).entities == entities


@pytest.mark.parametrize(
    "query",
    [
        "What is it?",
        "Tell me more",
        "I'm sure",
        "on Monday in May",
        "the 3rd at 5pm",
        "お客さんの声",
    ],
)
def test_other_words_are_no_entities(query: str) -> None:
    assert intent(query).entities == ()


@pytest.mark.parametrize(
    ("query", "urgency"),
    [
        ("quickly, what is the door code", Urgency.HIGH),
        ("need it asap", Urgency.HIGH),
        ("至急、住所を教えて", Urgency.HIGH),
        ("explain in depth", Urgency.LOW),
        ("詳しく教えて", Urgency.LOW),
        ("what is the door code", Urgency.NORMAL),
        ("住所を教えて", Urgency.NORMAL),
    ],
)
def test_urgency_is_told_by_words(query: str, urgency: Urgency) -> None:
    assert intent(query).urgency is urgency


def test_an_intent_holds_everything_at_once() -> None:
    found = intent("When did I last see Anna in January?")

    assert found.asks_when
    assert found.order is Order.LAST
    assert found.language == "en"
    assert found.entities == ("Anna",)
    assert [window.text for window in found.windows] == ["January"]
    assert not found.asks_past
    assert not found.asks_now


@given(query=st.text(max_size=300))
def test_any_text_has_an_intent(query: str) -> None:
    assert isinstance(intent(query), Intent)
