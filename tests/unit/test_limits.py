import math
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.errors import InvalidRequestError, PayloadTooLargeError
from omoide.domain.limits import (
    MAX_METADATA_DEPTH,
    as_utc,
    check_memory,
    check_operation_id,
    metadata_problem,
)
from omoide.domain.memory import JsonValue
from tests.unit.memory_records import NOW, record


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("content", text) for text in ["", "  \n\u3000", "a\x00b", "a\ud800"]],
        *[("summary", text) for text in ["", "a" * 501, "\x00"]],
        *[("language", tag) for tag in ["", "e", "english!", "en_US", "en-" + "a" * 40]],
        *[("tags", tags) for tags in [("",), ("a" * 129,), ("a\x00",), ("\udfff",)]],
        ("tags", tuple(map(str, range(65)))),
        *[("entities", entities) for entities in [(" ",), ("a" * 257,)]],
        ("entities", tuple(map(str, range(129)))),
        *[("metadata", value) for value in [{"a": math.nan}, {"a": [math.inf]}, {"a\x00": 1}]],
        *[("metadata", value) for value in [{"a": "\ud800"}, {"a": 2**63}, {"a": 10**5000}]],
        ("metadata", {"a": "x" * 16_384}),
        ("metadata", nested(MAX_METADATA_DEPTH + 1)),
        *[("importance", number) for number in [-0.01, 1.01, math.nan, math.inf]],
        *[("confidence", number) for number in [-1, 2, math.nan]],
        *[("valence", number) for number in [-1.1, 1.1, math.nan]],
        *[("arousal", number) for number in [-0.1, 1.1]],
        *[("mood", text) for text in ["", "a" * 257]],
        *[("timezone", zone) for zone in ["", "Mars/Olympus", "../etc/passwd", "America", "/x"]],
        ("event_end", NOW - timedelta(seconds=1)),
        ("invalidated_at", NOW - timedelta(seconds=1)),
        *[("expires_at", time) for time in [NOW, NOW - timedelta(days=1)]],
        *[
            (field, text)
            for field in ["source_id", "agent_id", "user_id", "session_id", "speaker"]
            for text in ["", "a" * 257, "/" * 171, "a\x00", "\ud800"]
        ],
    ],
)
def test_a_field_outside_its_limits_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        check_memory(record(**{field: value}))

    assert [d.field for d in refused.value.details] == [field]


@pytest.mark.parametrize("turn", [-1, 2**31 + 1])
def test_a_turn_outside_its_range_is_refused(turn: int) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        check_memory(record(session_id="s", turn=turn))

    assert refused.value.details[0].field == "turn"


def test_a_turn_without_a_session_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match="turn: needs a session_id"):
        check_memory(record(turn=1))


def test_every_wrong_field_is_named_at_once() -> None:
    with pytest.raises(InvalidRequestError) as refused:
        check_memory(record(content="", importance=7, speaker=""))

    assert {d.field for d in refused.value.details} == {"content", "importance", "speaker"}


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "a" * 32_768},
        {"content": "𠮷" * 32_768},
        {"content": "."},
        {"summary": "a" * 500, "language": "zh-Hant-TW"},
        {"tags": tuple("a" * 125 + f"{i:03}" for i in range(64))},
        {"entities": tuple("a" * 253 + f"{i:03}" for i in range(128))},
        {"metadata": {"a": "x" * 16_376}},
        {"metadata": {"a": "", "b": [2**63 - 1, -(2**63), 1.5, None, True]}},
        {"metadata": nested(MAX_METADATA_DEPTH)},
        {"importance": 0, "confidence": 1, "valence": -1, "arousal": 1},
        {"session_id": "s" * 256, "turn": 2**31},
        {"session_id": "s", "turn": 0},
        {"speaker": "/" * 170},
        {"timezone": "Asia/Tokyo", "event_end": NOW, "invalidated_at": NOW},
        {"expires_at": NOW + timedelta(milliseconds=1)},
    ],
)
def test_a_field_at_its_limit_is_accepted(fields: dict[str, Any]) -> None:
    check_memory(record(**fields))


@pytest.mark.parametrize("character", ["a", "𠮷"])
def test_a_longer_content_is_told_to_be_ingested(character: str) -> None:
    with pytest.raises(PayloadTooLargeError, match="ingest") as refused:
        check_memory(record(content=character * 32_769))

    assert refused.value.details[0].field == "content"


@pytest.mark.parametrize("operation_id", ["", " ", "a" * 257, "a\x00", "\ud800"])
def test_an_operation_id_that_cannot_be_kept_is_refused(operation_id: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        check_operation_id(operation_id)

    assert refused.value.details[0].field == "operation_id"


def test_an_operation_id_may_be_absent() -> None:
    check_operation_id(None)
    check_operation_id("a" * 256)


json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(2**63), max_value=2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_ordinary_json_is_accepted_as_metadata(value: JsonValue) -> None:
    assert metadata_problem(value) is None


def test_a_naive_time_is_utc_and_only_milliseconds_are_kept() -> None:
    naive = datetime(2026, 1, 1, 12, 0, 0, 123_999, tzinfo=UTC).replace(tzinfo=None)
    in_tokyo = datetime(2026, 1, 1, 21, tzinfo=timezone(timedelta(hours=9)))

    assert as_utc(naive, field="t") == datetime(2026, 1, 1, 12, 0, 0, 123_000, tzinfo=UTC)
    assert as_utc(in_tokyo, field="t") == NOW


def test_a_time_beyond_the_calendar_is_refused_by_name() -> None:
    edge = datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=9)))

    with pytest.raises(InvalidRequestError) as refused:
        as_utc(edge, field="event_time")

    assert refused.value.details[0].field == "event_time"
