"""A key with read on team/a can by no operation see, change or learn of team/b."""

from collections.abc import Callable

import pytest

from omoide.domain.errors import ForbiddenError, NotFoundError, OmoideError
from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.principal import Principal
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import NewMemory, Outcome
from tests.service.write_desk import LOCAL, WriteDesk, key

UNKNOWN = "019b76da-a800-70a2-be0a-1128a3d399d2"
READER = key("read:team/a/**")
WRITER = key("write:team/a/**", key_id="k2")


@pytest.fixture
def theirs(desk: WriteDesk) -> Memory:
    return desk.say("The vault code is 4711.", namespace="team/b", session_id="s", agent_id="x")


def outcome_of(call: Callable[[], object]) -> tuple[type[OmoideError], str]:
    with pytest.raises(OmoideError) as refused:
        call()
    return type(refused.value), str(refused.value)


@pytest.mark.parametrize("principal", [READER, WRITER])
def test_a_foreign_id_answers_as_an_unknown_one(
    desk: WriteDesk, theirs: Memory, principal: Principal
) -> None:
    def answers(memory_id: str) -> list[tuple[type[OmoideError], str]]:
        return [
            outcome_of(lambda: desk.get(principal, memory_id)),
            outcome_of(lambda: desk.update(principal, memory_id, MemoryPatch(pinned=True))),
            outcome_of(lambda: desk.update(principal, memory_id, MemoryPatch(content=""))),
            outcome_of(
                lambda: desk.update(principal, memory_id, MemoryPatch(), expected_version=9)
            ),
            outcome_of(lambda: desk.update(principal, memory_id, MemoryPatch(), operation_id="op")),
            outcome_of(lambda: desk.delete(principal, memory_id)),
            outcome_of(lambda: desk.delete(principal, memory_id, agent_id="x")),
        ]

    assert answers(theirs.id) == answers(UNKNOWN)
    assert {kind for kind, _ in answers(theirs.id)} == {NotFoundError}
    assert desk.get(LOCAL, theirs.id).memory == theirs


def test_a_prefix_of_an_id_finds_nothing(desk: WriteDesk, theirs: Memory) -> None:
    for prefix in [theirs.id[:8], theirs.id[:-1], theirs.id + " ", theirs.id.replace("-", "")]:
        with pytest.raises(NotFoundError):
            desk.get(LOCAL, prefix)


def test_a_foreign_namespace_answers_as_an_unknown_one(desk: WriteDesk, theirs: Memory) -> None:
    def answers(namespace: str) -> list[tuple[type[OmoideError], str]]:
        new = NewMemory(content="The vault code is 4711.", namespace=namespace)
        return [
            outcome_of(lambda: desk.list(WRITER, namespace, MemoryFilter())),
            outcome_of(lambda: desk.count(WRITER, namespace)),
            outcome_of(lambda: desk.store(WRITER, new)),
        ]

    assert answers("team/b") == answers("team/c")
    assert {kind for kind, _ in answers("team/b")} == {ForbiddenError}


def test_the_same_text_and_session_elsewhere_tell_nothing(desk: WriteDesk, theirs: Memory) -> None:
    stored = desk.store(WRITER, NewMemory(content=theirs.content, session_id="s"))

    assert stored.outcome is Outcome.CREATED
    assert stored.view.memory.turn == 0
    assert desk.get(LOCAL, theirs.id).use is None


def test_filters_reach_into_no_other_namespace(desk: WriteDesk, theirs: Memory) -> None:
    for where in [MemoryFilter(session_id="s"), MemoryFilter(agent_id="x"), MemoryFilter()]:
        listing = desk.list(READER, None, where)
        assert (listing.views, listing.total) == ((), 0)


def test_a_batch_reaches_into_no_other_namespace(desk: WriteDesk, theirs: Memory) -> None:
    items = [NewMemory(content="x", namespace=n) for n in ["team/b", "team/c", "team/a/x"]]

    answers = desk.store_many(WRITER, items)

    assert [isinstance(a, ForbiddenError) for a in answers] == [True, True, False]
    assert str(answers[0]) == str(answers[1])
    assert desk.count(LOCAL, "team/b").count == 1


def test_a_reader_writes_nothing_at_all(desk: WriteDesk) -> None:
    ours = desk.say("ours", namespace="team/a")

    for call in [
        lambda: desk.store(READER, NewMemory(content="x")),
        lambda: desk.update(READER, ours.id, MemoryPatch(pinned=True)),
        lambda: desk.delete(READER, ours.id),
    ]:
        with pytest.raises(ForbiddenError):
            call()
    assert desk.get(LOCAL, ours.id).memory == ours


def test_an_operation_of_another_key_is_not_repeated(desk: WriteDesk) -> None:
    desk.store(WRITER, NewMemory(content="x"), operation_id="op")
    other = key("write:team/b", key_id="k3", default_namespace="team/b")

    stored = desk.store(other, NewMemory(content="y"), operation_id="op")

    assert stored.outcome is Outcome.CREATED


def test_a_key_that_lost_its_right_gets_no_repeated_answer(desk: WriteDesk) -> None:
    new = NewMemory(content="x", namespace="team/a")
    desk.store(WRITER, new, operation_id="op")
    narrowed = key("write:team/c", key_id="k2")

    with pytest.raises(ForbiddenError):
        desk.store(narrowed, new, operation_id="op")
