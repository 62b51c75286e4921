import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.errors import NotFoundError
from omoide.domain.identity import find_id, uuid7

instants = st.integers(min_value=0, max_value=2**57).map(
    lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
)
random_bytes = st.binary(min_size=10, max_size=10)


@given(instants, random_bytes)
def test_a_new_id_is_a_uuid_of_version_7(now: datetime, random: bytes) -> None:
    made = uuid.UUID(uuid7(now, random))

    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert str(made) == uuid7(now, random)


@given(instants, random_bytes, random_bytes)
def test_ids_sort_by_their_millisecond(now: datetime, one: bytes, other: bytes) -> None:
    later = now + timedelta(milliseconds=1)

    assert uuid7(now, one) < uuid7(later, other)


@given(instants, random_bytes)
def test_the_time_of_an_id_is_its_millisecond(now: datetime, random: bytes) -> None:
    milliseconds = uuid.UUID(uuid7(now, random)).int >> 80

    assert milliseconds == (now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def test_ids_of_one_millisecond_differ_with_their_randomness() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)

    ids = {uuid7(now, n.to_bytes(10, "big")) for n in range(500)}

    assert len(ids) == 500


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=500_000)), random_bytes)
def test_an_earlier_time_counts_as_1970(before: timedelta, random: bytes) -> None:
    epoch = datetime(1970, 1, 1, tzinfo=UTC)

    assert uuid7(epoch - before, random) == uuid7(epoch, random)


@pytest.mark.parametrize("count", [0, 9, 11])
def test_a_new_id_takes_ten_random_bytes(count: int) -> None:
    with pytest.raises(ValueError, match="10 random bytes"):
        uuid7(datetime(2026, 1, 1, tzinfo=UTC), bytes(count))


@given(st.uuids())
def test_any_uuid_is_accepted_and_comes_back_in_lower_case(value: uuid.UUID) -> None:
    assert find_id(str(value).upper()) == str(value)


@pytest.mark.parametrize(
    "text", ["", "1", "no-uuid", "{" + str(uuid.UUID(int=5)) + "}", uuid.UUID(int=5).hex, "０" * 32]
)
def test_what_is_no_uuid_is_not_found(text: str) -> None:
    with pytest.raises(NotFoundError):
        find_id(text)
