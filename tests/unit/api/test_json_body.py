import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.api.errors import MalformedBodyError
from omoide.api.json_body import read_object
from omoide.domain.errors import InvalidRequestError, OmoideError, PayloadTooLargeError

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def is_storable(value: Any) -> bool:
    text = json.dumps(value, ensure_ascii=False)
    return "\\u0000" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


@given(st.dictionaries(st.text(), JSON_VALUES).filter(is_storable), st.booleans())
def test_every_json_object_is_read_as_it_was_written(value: Any, ascii_only: bool) -> None:
    assert read_object(json.dumps(value, ensure_ascii=ascii_only)) == value


@given(st.text() | st.text(alphabet='{}[]":,\\u0d8nNaINfity1e9 \n\t'))
def test_any_text_is_an_object_or_a_refusal(text: str) -> None:
    try:
        read = read_object(text)
    except (MalformedBodyError, InvalidRequestError) as error:
        assert error.details[0].problem
    else:
        assert isinstance(read, dict)


@pytest.mark.parametrize(
    ("text", "error", "field"),
    [
        ("", MalformedBodyError, "body"),
        (" \n", MalformedBodyError, "body"),
        ("{", MalformedBodyError, "body"),
        ('{"a": 1,}', MalformedBodyError, "body"),
        ('{"a": "\x00"}', MalformedBodyError, "body"),
        ("[" * 100_000, MalformedBodyError, "body"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, MalformedBodyError, "body"),
        ('{"a": ' + "9" * 5_000 + "}", MalformedBodyError, "body"),
        ('{"a": NaN}', MalformedBodyError, "a"),
        ('{"a": {"b": [1, -Infinity]}}', MalformedBodyError, "a.b.1"),
        ('{"a": 1, "a": 2}', MalformedBodyError, "a"),
        ("[]", InvalidRequestError, "body"),
        ('"text"', InvalidRequestError, "body"),
        ("null", InvalidRequestError, "body"),
        ('{"a": {"b": ["x", "\\u0000"]}}', InvalidRequestError, "a.b.1"),
        ('{"a": "\\ud800"}', InvalidRequestError, "a"),
        ('{"a": "\\uDFFF end"}', InvalidRequestError, "a"),
        ('{"a": {"\\ud800": 1}}', InvalidRequestError, "a"),
        ('{"a": "\ud800"}', InvalidRequestError, "a"),
    ],
)
def test_what_is_no_request_is_refused_by_name(
    text: str, error: type[OmoideError], field: str
) -> None:
    with pytest.raises(error) as raised:
        read_object(text)

    assert [detail.field for detail in raised.value.details] == [field]


def nested(depth: int, kind: str) -> str:
    """An object that holds arrays or objects down to a depth, itself the first level."""
    opening, closing = ("[", "]") if kind == "array" else ('{"a":', "}")
    return '{"a":' + opening * (depth - 1) + "1" + closing * (depth - 1) + "}"


@pytest.mark.parametrize("kind", ["array", "object"])
def test_a_body_is_nested_at_most_64_levels(kind: str) -> None:
    text = nested(64, kind)

    assert json.loads(text) == read_object(text)
    for depth in (65, 200, 900, 950, 1_000, 5_000, 90_000):
        with pytest.raises(MalformedBodyError, match="nested deeper than 64 levels"):
            read_object(nested(depth, kind))


def test_many_brackets_side_by_side_are_not_deep() -> None:
    value: dict[str, Any] = {"a": [{"b": [[]]}] * 500}

    assert read_object(json.dumps(value)) == value


def test_escaped_pairs_of_surrogates_and_escaped_backslashes_are_text() -> None:
    assert read_object('{"a": "\\ud83d\\ude00", "b": "\\\\u0000"}') == {"a": "😀", "b": "\\u0000"}


def test_a_byte_order_mark_is_no_reason_to_refuse() -> None:
    assert read_object('\ufeff{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("filling", "is_refused"), [("a" * 90, False), ("a" * 91, True), ("あ" * 31, True)]
)
def test_the_limit_counts_bytes(filling: str, is_refused: bool) -> None:
    text = json.dumps({"abcd": filling}, ensure_ascii=False, separators=(",", ":"))
    limit = 90 + len('{"abcd":""}')

    if is_refused:
        with pytest.raises(PayloadTooLargeError):
            read_object(text, limit=limit)
    else:
        assert read_object(text, limit=limit)
