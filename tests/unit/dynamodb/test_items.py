"""How values and keys are kept."""

from datetime import UTC, datetime
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.adapters.dynamodb.attributes import FloatAttribute, TimeAttribute
from omoide.adapters.dynamodb.item_keys import (
    operation_key,
    session_key,
    turn_key,
    turns_above,
    turns_below,
    turns_from,
)
from omoide.adapters.dynamodb.memory_items import read_memory, write_memory
from omoide.adapters.dynamodb.table import TABLE
from omoide.domain.errors import IncompatibleDataError
from omoide.domain.limits import MAX_CONTENT, MAX_METADATA_BYTES, MAX_TURN, check_memory
from omoide.domain.memory import JsonValue
from tests.contract.samples import creation_of, memory_of
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire

MAX_ITEM_BYTES = 400_000
MAX_KEY_BYTES = 1_024


def test_numbers_stay_what_they_are(folder: TableFolder) -> None:
    memory = memory_of("m1", importance=1.0, confidence=0.1 + 0.2, valence=-0.0, arousal=1e-7)
    folder.records.commit(creation_of(memory))

    found = folder.records.get("m1")

    assert found == memory
    assert isinstance(found.importance, float)


def test_a_number_next_to_nothing_is_kept_as_nothing(folder: TableFolder) -> None:
    folder.records.commit(creation_of(memory_of("m1", importance=5e-324)))

    assert folder.records.get("m1").importance == 0.0


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100))
def test_floating_point_numbers_are_read_back_as_they_were(value: float) -> None:
    written = FloatAttribute().serialize(value)

    expected = 0.0 if abs(value) < 1e-120 else value
    assert FloatAttribute().deserialize(written) == expected


@given(
    st.datetimes(timezones=st.just(UTC)),
    st.datetimes(timezones=st.just(UTC)),
)
def test_written_times_sort_by_time(one: datetime, other: datetime) -> None:
    written = [TimeAttribute().serialize(time) for time in (one, other)]

    assert (written[0] < written[1]) == (one < other)
    assert [TimeAttribute().deserialize(time) for time in written] == [one, other]


def _size(value: JsonValue) -> int:
    if isinstance(value, dict):
        return sum(len(name.encode()) + 3 + _size(one) for name, one in value.items())
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(str(value).encode())


def test_the_largest_memory_fits_into_an_item() -> None:
    wide = "\U0001f375"
    memory = memory_of(
        "0" * 36,
        wide * MAX_CONTENT,
        summary=wide * 500,
        tags=tuple(f"{i:04d}" + wide * 124 for i in range(64)),
        entities=tuple(f"{i:04d}" + wide * 252 for i in range(128)),
        metadata={"a": "é" * ((MAX_METADATA_BYTES - 8) // 2)},
    )
    check_memory(memory)

    raw = write_memory(memory, index_version=1, scoring_revision="r" * 64)

    assert _size(cast("JsonValue", raw)) < MAX_ITEM_BYTES
    assert read_memory(raw) == memory


def test_an_item_of_a_newer_program_is_refused(folder: TableFolder, wire: Wire) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    (item,) = [one for one in wire.items() if one["sk"]["S"] == "MEM#m1"]
    wire.put(item | {"schema": {"N": "2"}})

    with pytest.raises(IncompatibleDataError, match="update the program"):
        folder.records.get("m1")


sessions = st.text("#%$:a0", min_size=1, max_size=6)


@settings(max_examples=300)
@given(sessions, sessions, st.integers(0, MAX_TURN), st.integers(0, MAX_TURN))
def test_a_turn_is_in_the_ranges_of_its_own_session_alone(
    session: str, other: str, turn: int, at: int
) -> None:
    sk = turn_key("n", session, turn, "id").sk
    below, onwards, above = (
        keys.low <= sk <= keys.high
        for keys in (
            turns_below("n", other, at),
            turns_from("n", other, at),
            turns_above("n", other, at),
        )
    )

    is_ours = session == other
    assert below == (is_ours and turn < at)
    assert onwards == (is_ours and turn >= at)
    assert above == (is_ours and turn > at)


@given(sessions, sessions)
def test_the_item_of_a_session_is_in_no_range_of_turns(session: str, other: str) -> None:
    sk = session_key("n", session).sk

    for keys in (turns_below("n", other, MAX_TURN), turns_above("n", other, -1)):
        assert not keys.low <= sk <= keys.high


@given(st.tuples(sessions, sessions, sessions), st.tuples(sessions, sessions, sessions))
def test_operations_have_different_keys(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    assert (operation_key(*one) == operation_key(*other)) == (one == other)


def test_the_longest_session_fits_into_a_key() -> None:
    key = turn_key("n", "#" * 256, MAX_TURN, "0" * 36)

    assert len(key.sk.encode()) <= MAX_KEY_BYTES


def test_sessions_with_the_characters_of_keys_are_kept_apart(folder: TableFolder) -> None:
    names = ("s", "s#", "s#0000000001", "s$", "s%23")
    for i, session in enumerate(names):
        folder.records.commit(creation_of(memory_of(f"m{i}", session_id=session, turn=i)))

    assert [folder.records.last_turn("team/a", session) for session in names] == [0, 1, 2, 3, 4]


def test_the_description_of_the_table_is_what_dynamodb_is_told() -> None:
    creation = TABLE.creation("memories")

    assert creation["TableName"] == "memories"
    assert creation["BillingMode"] == "PAY_PER_REQUEST"
    assert [key["AttributeName"] for key in creation["KeySchema"]] == ["pk", "sk"]
    assert [index["IndexName"] for index in creation["GlobalSecondaryIndexes"]] == ["due"]
    assert creation["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"
