import pytest

from omoide.domain.errors import (
    ForbiddenError,
    InvalidRequestError,
    ModelUnavailableError,
    NotFoundError,
    OmoideError,
    PayloadTooLargeError,
)
from omoide.services.store_memory import Dedupe, NewMemory, Outcome, Stored
from tests.service.write_desk import LOCAL, WriteDesk, key, take_down


def stored(answer: Stored | OmoideError) -> Stored:
    assert isinstance(answer, Stored)
    return answer


def test_answers_come_in_the_order_of_the_items(desk: WriteDesk) -> None:
    texts = [f"fact {n}" for n in range(100)]

    answers = desk.store_many(LOCAL, [NewMemory(content=text) for text in texts])

    assert [stored(a).view.memory.content for a in answers] == texts
    assert desk.count(LOCAL, None).count == 100


def test_ids_of_a_batch_ascend_with_the_items(desk: WriteDesk) -> None:
    answers = desk.store_many(LOCAL, [NewMemory(content=f"fact {n}") for n in range(50)])

    ids = [stored(a).view.memory.id for a in answers]
    assert ids == sorted(ids)


def test_one_bad_item_fails_alone(desk: WriteDesk) -> None:
    writer = key("write:team/a/**")
    given_error = InvalidRequestError.of("importance", "is not a number")

    answers = desk.store_many(
        writer,
        [
            NewMemory(content="good"),
            NewMemory(content=""),
            NewMemory(content="x", namespace="team/b"),
            given_error,
            NewMemory(content="x" * 32_769),
            NewMemory(content="also good"),
        ],
    )

    kinds = [type(answer) for answer in answers]
    assert kinds == [
        Stored,
        InvalidRequestError,
        ForbiddenError,
        InvalidRequestError,
        PayloadTooLargeError,
        Stored,
    ]
    assert answers[3] is given_error
    assert desk.count(LOCAL, "team/a").count == 2


def test_the_same_text_inside_a_batch_is_one_memory(desk: WriteDesk) -> None:
    texts = ["Hanako likes tea.", "other", "hanako likes tea", "HANAKO LIKES TEA!"]

    answers = desk.store_many(LOCAL, [NewMemory(content=text) for text in texts])

    outcomes = [stored(a).outcome for a in answers]
    ids = [stored(a).view.memory.id for a in answers]
    assert outcomes == [Outcome.CREATED, Outcome.CREATED, Outcome.DUPLICATE, Outcome.DUPLICATE]
    assert ids[0] == ids[2] == ids[3]
    assert desk.count(LOCAL, None).count == 2
    assert len(desk.embedder.encoded) == 2


def test_replays_of_a_batch_store_and_encode_nothing(desk: WriteDesk) -> None:
    items = [NewMemory(content=f"fact {n}") for n in range(10)]
    desk.store_many(LOCAL, items)
    encoded = len(desk.embedder.encoded)

    for _ in range(9):
        answers = desk.store_many(LOCAL, items)
        assert {stored(a).outcome for a in answers} == {Outcome.DUPLICATE}

    assert desk.count(LOCAL, None).count == 10
    assert len(desk.embedder.encoded) == encoded


def test_without_deduplication_equal_items_stay_apart(desk: WriteDesk) -> None:
    new = NewMemory(content="same", dedupe=Dedupe.OFF)

    answers = desk.store_many(LOCAL, [new, new])

    assert stored(answers[0]).view.memory.id != stored(answers[1]).view.memory.id


def test_turns_of_a_session_follow_each_other_inside_a_batch(desk: WriteDesk) -> None:
    desk.say("zero", session_id="s")

    answers = desk.store_many(
        LOCAL,
        [
            NewMemory(content="one", session_id="s"),
            NewMemory(content="elsewhere", session_id="t"),
            NewMemory(content="two", session_id="s"),
            NewMemory(content="nine", session_id="s", turn=9),
            NewMemory(content="ten", session_id="s"),
        ],
    )

    assert [stored(a).view.memory.turn for a in answers] == [1, 0, 2, 9, 10]


@pytest.mark.parametrize("count", [0, 101])
def test_a_batch_of_another_size_is_refused(desk: WriteDesk, count: int) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        desk.store_many(LOCAL, [NewMemory(content=f"{n}") for n in range(count)])

    assert refused.value.details[0].field == "memories"


def test_contents_too_long_together_are_refused_together(desk: WriteDesk) -> None:
    items = [NewMemory(content="a" * 16_384), NewMemory(content="b" * 16_385)]

    with pytest.raises(PayloadTooLargeError) as refused:
        desk.store_many(LOCAL, items)

    assert refused.value.details[0].field == "memories"
    assert desk.count(LOCAL, None).count == 0


def test_a_batch_of_bad_items_alone_needs_no_model(desk: WriteDesk) -> None:
    desk.embedder.is_failing = True

    answers = desk.store_many(LOCAL, [NewMemory(content=""), NotFoundError()])

    assert [type(a) for a in answers] == [InvalidRequestError, NotFoundError]


def test_a_batch_without_a_model_stores_nothing(desk: WriteDesk) -> None:
    desk.embedder.is_failing = True

    with pytest.raises(ModelUnavailableError):
        desk.store_many(LOCAL, [NewMemory(content="a"), NewMemory(content="b")])

    assert desk.count(LOCAL, None).count == 0


def test_a_session_that_is_full_fails_one_item(desk: WriteDesk) -> None:
    answers = desk.store_many(
        LOCAL,
        [
            NewMemory(content="last", session_id="s", turn=2**31),
            NewMemory(content="one more", session_id="s"),
            NewMemory(content="elsewhere"),
        ],
    )

    assert isinstance(answers[0], Stored)
    assert isinstance(answers[1], InvalidRequestError)
    assert answers[1].details[0].field == "turn"
    assert isinstance(answers[2], Stored)


def test_items_that_are_down_fail_each_with_the_reason(fake_desk: WriteDesk) -> None:
    take_down(fake_desk)

    answers = fake_desk.store_many(LOCAL, [NewMemory(content="a"), NewMemory(content="b")])

    assert [getattr(a, "code", None) for a in answers] == ["UNAVAILABLE"] * 2
