"""Searching with the profile that context is assembled by."""

from dataclasses import replace

from omoide.domain.memory import Memory, Status, VerificationStatus
from omoide.domain.ranking.options import RankingProfile
from tests.service.searching import found, put, search
from tests.service.write_desk import WriteDesk


def superseded(desk: WriteDesk, text: str) -> Memory:
    memory = desk.say(text)
    put(desk, replace(memory, status=Status.SUPERSEDED, version=2))
    return memory


def test_what_was_superseded_is_found_at_a_tenth_of_its_score(desk: WriteDesk) -> None:
    desk.say("boat")
    superseded(desk, "boat rudder")

    answer = search(desk, "boat rudder", profile=RankingProfile.CONTEXT, explain=True)

    assert found(answer) == ["boat", "boat rudder"]
    assert answer.results[1].relevance > answer.results[0].relevance
    assert answer.results[1].score < answer.results[0].score / 4


def test_what_is_contradicted_stands_behind_what_is_not(desk: WriteDesk) -> None:
    memory = desk.say("boat rudder")
    desk.say("boat")
    put(desk, replace(memory, verification_status=VerificationStatus.CONTRADICTED, version=2))

    answer = search(desk, "boat rudder", profile=RankingProfile.CONTEXT)

    assert found(answer) == ["boat", "boat rudder"]


def test_however_many_were_superseded_the_valid_ones_fill_the_page(desk: WriteDesk) -> None:
    for number in range(12):
        superseded(desk, f"boat rudder {number}")
    desk.say("boat")
    desk.say("a boat and much else that is not about it")

    answer = search(desk, "boat rudder", profile=RankingProfile.CONTEXT, top_k=2)

    assert set(found(answer)) == {"boat", "a boat and much else that is not about it"}


def test_a_search_by_another_profile_does_not_see_what_was_superseded(desk: WriteDesk) -> None:
    superseded(desk, "boat rudder")

    assert found(search(desk, "boat rudder")) == []
