"""Searching: what is found, in which order, and what is said about it."""

from datetime import timedelta

import pytest

from omoide.domain.ranking.options import Fusion, RankingProfile, SearchMode
from omoide.services.new_memory import Dedupe
from tests.service.searching import found, search
from tests.service.write_desk import WriteDesk

UNKNOWN = "\ue000\ue001"


def test_the_memory_with_the_words_of_the_query_comes_first(desk: WriteDesk) -> None:
    desk.say("The rudder of the boat is loose")
    desk.say("Slugs ate the lettuce")

    answer = search(desk, "boat rudder")

    assert found(answer)[0] == "The rudder of the boat is loose"
    best = answer.results[0]
    assert best.matched == ("dense", "lexical")
    assert 0 < best.relevance <= 1
    assert best.similarity is not None
    assert answer.namespace == "default"
    assert not answer.degraded


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("用户服务器部署在腾讯云国内节点", "腾讯云"),
        ("重跑gen-itgc后", "itgc"),
    ],
)
def test_parts_of_unspaced_text_are_found_by_words_alone(
    desk: WriteDesk, content: str, query: str
) -> None:
    desk.say(content)
    desk.say("something else entirely")

    answer = search(desk, query, mode=SearchMode.LEXICAL)

    assert found(answer) == [content]
    assert answer.results[0].matched == ("lexical",)
    assert answer.results[0].similarity is None


def test_semantic_mode_does_not_look_at_words(desk: WriteDesk) -> None:
    desk.say("boat rudder")

    answer = search(desk, "boat", mode=SearchMode.SEMANTIC, explain=True)

    assert answer.results[0].matched == ("dense",)
    told = answer.results[0].explain
    assert told is not None
    assert "lexical" not in {part.name for part in told.parts}


def test_alpha_nothing_returns_the_newest_whatever_they_say(desk: WriteDesk) -> None:
    for number in range(150):
        desk.say(f"boat {number}", event_time=desk.clock.now() - timedelta(days=200 - number))
    desk.say("entirely different", dedupe=Dedupe.OFF)

    answer = search(
        desk,
        "boat",
        profile=RankingProfile.ALPHA,
        alpha=0.0,
        mode=SearchMode.LEXICAL,
        top_k=2,
    )

    assert found(answer) == ["entirely different", "boat 149"]
    assert answer.results[0].matched == ()


def test_alpha_mixes_similarity_and_recency(desk: WriteDesk) -> None:
    desk.say("boat rudder")
    desk.clock.advance(days=15)

    answer = search(desk, "boat", profile=RankingProfile.ALPHA, mode=SearchMode.SEMANTIC, alpha=0.6)

    best = answer.results[0]
    assert best.similarity is not None
    assert best.relevance == pytest.approx(best.similarity)
    assert best.score == pytest.approx(0.6 * best.relevance + 0.4 * 2**-0.5)


def test_min_score_removes_results_and_says_how_many(desk: WriteDesk) -> None:
    desk.say("boat rudder")
    desk.say("lettuce")

    every = search(desk, "boat rudder")
    cut = search(desk, "boat rudder", min_score=every.results[0].score)

    assert len(every.results) == 2
    assert found(cut) == ["boat rudder"]
    assert cut.filtered_count == 1
    assert every.filtered_count == 0


def test_an_explanation_adds_up_to_the_score(desk: WriteDesk) -> None:
    desk.say("Did you mend the boat?", session_id="s", speaker="Ann", turn=1)
    desk.say("The rudder is new", session_id="s", speaker="Bob", turn=2)

    answer = search(desk, "What did Bob say about the boat?", explain=True)

    for result in answer.results:
        told = result.explain
        assert told is not None
        parts = [p for p in told.parts if p.applies]
        total = sum(p.weight * p.value for p in parts)
        total /= sum(p.weight for p in parts if not p.is_extra)
        assert told.relevance == pytest.approx(min(1.0, max(0.0, total)))
        extra = 0.05 * told.factors["recency_half_life"]
        extra += 0.05 * (told.factors["importance"] + told.factors["strength"] - 1)
        assert result.score == told.score == pytest.approx(told.relevance * (1 + extra))
    assert search(desk, "boat").results[0].explain is None


def test_the_answer_to_a_matching_question_is_found(desk: WriteDesk) -> None:
    desk.say("Where did you moor the boat?", session_id="s", speaker="Ann", turn=1)
    desk.say("Behind the island", session_id="s", speaker="Bob", turn=2)
    for number in range(5):
        desk.say(f"another thing {number}")

    answer = search(desk, "moor boat")

    assert found(answer)[:2] == ["Where did you moor the boat?", "Behind the island"]


def test_without_the_model_words_answer_and_the_answer_says_so(desk: WriteDesk) -> None:
    desk.say("boat rudder")
    desk.embedder.is_failing = True

    answer = search(desk, "boat", mode=SearchMode.SEMANTIC)

    assert found(answer) == ["boat rudder"]
    assert answer.degraded
    assert answer.results[0].similarity is None


def test_a_query_of_unknown_words_is_answered_by_words(desk: WriteDesk) -> None:
    desk.say(f"boat {UNKNOWN}")
    desk.say("lettuce")

    answer = search(desk, f"{UNKNOWN} boat {UNKNOWN}")

    assert found(answer) == [f"boat {UNKNOWN}"]
    assert not answer.degraded


def test_a_good_match_is_not_low_confidence(desk: WriteDesk) -> None:
    desk.say("boat rudder")

    assert not search(desk, "boat rudder").low_confidence
    assert search(desk, "qqq zzz").low_confidence


@pytest.mark.parametrize("mode", SearchMode)
def test_a_query_of_stop_words_or_signs_is_answered(desk: WriteDesk, mode: SearchMode) -> None:
    desk.say("boat")

    for text in ("what is it", "???", "の", "42"):
        assert len(search(desk, text, mode=mode).results) <= 1


@pytest.mark.parametrize("fusion", Fusion)
@pytest.mark.parametrize("profile", [None, RankingProfile.ALPHA, RankingProfile.MOOD])
def test_results_are_ordered_by_score(
    desk: WriteDesk, profile: RankingProfile | None, fusion: Fusion
) -> None:
    for number in range(12):
        desk.say(f"boat {number} {'rudder ' * number}", importance=number / 12)
        desk.clock.advance(days=3)

    answer = search(
        desk, "boat rudder", profile=profile, fusion=fusion, current_valence=0.5, top_k=7
    )

    scores = [result.score for result in answer.results]
    assert len(scores) == 7
    assert scores == sorted(scores, reverse=True)


def test_equal_scores_put_the_newest_first(desk: WriteDesk) -> None:
    at = desk.clock.now() - timedelta(days=5)
    for _ in range(3):
        desk.say("boat", event_time=at, dedupe=Dedupe.OFF)

    answer = search(desk, "boat", profile=RankingProfile.ALPHA)

    ids = [result.view.memory.id for result in answer.results]
    assert ids == sorted(ids, reverse=True)
