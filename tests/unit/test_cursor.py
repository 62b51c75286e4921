import base64
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.cursor import decode_cursor, encode_cursor
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import Layer, MemoryType, Status
from omoide.domain.memory_filter import MemoryFilter

SECRET = bytes(range(32))
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ID = "019b76da-a800-70a2-be0a-1128a3d399d2"
FULL = MemoryFilter(
    memory_types=(MemoryType.EPISODIC,),
    tags_any=("a",),
    tags_all=("b",),
    statuses=(Status.ARCHIVED,),
    session_id="s",
    agent_id="g",
    user_id="u",
    speaker="p",
    layer=Layer.FACT,
    pinned=True,
    importance_min=0.1,
    confidence_min=0.1,
    event_after=NOW,
    event_before=NOW,
    valid_at=NOW,
)

milliseconds = st.datetimes(timezones=st.just(UTC)).map(
    lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000)
)


@given(milliseconds, st.uuids().map(str), st.text(max_size=20), st.binary(min_size=1))
def test_a_cursor_comes_back_as_the_position_it_was_made_of(
    created_at: datetime, memory_id: str, namespace: str, secret: bytes
) -> None:
    where = MemoryFilter(tags_any=("x",), event_after=NOW)

    cursor = encode_cursor(created_at, memory_id, namespace=namespace, where=where, secret=secret)

    assert decode_cursor(cursor, namespace=namespace, where=where, secret=secret) == (
        created_at,
        memory_id,
    )


@pytest.mark.parametrize("name", [f.name for f in fields(MemoryFilter) if f.name != "now"])
def test_a_cursor_is_bound_to_every_condition_of_its_filter(name: str) -> None:
    cursor = encode_cursor(NOW, ID, namespace="a", where=FULL, secret=SECRET)
    other = replace(FULL, **{name: getattr(MemoryFilter(), name)})

    with pytest.raises(InvalidRequestError) as refused:
        decode_cursor(cursor, namespace="a", where=other, secret=SECRET)

    assert refused.value.details[0].field == "cursor"


def test_the_instant_of_asking_does_not_bind_a_cursor() -> None:
    cursor = encode_cursor(NOW, ID, namespace="a", where=FULL, secret=SECRET)
    later = replace(FULL, now=NOW)

    assert decode_cursor(cursor, namespace="a", where=later, secret=SECRET) == (NOW, ID)


@pytest.mark.parametrize(("namespace", "secret"), [("b", SECRET), ("a", bytes(32))])
def test_a_cursor_of_another_namespace_or_installation_is_refused(
    namespace: str, secret: bytes
) -> None:
    cursor = encode_cursor(NOW, ID, namespace="a", where=FULL, secret=SECRET)

    with pytest.raises(InvalidRequestError):
        decode_cursor(cursor, namespace=namespace, where=FULL, secret=secret)


@given(st.integers(min_value=0, max_value=39), st.integers(min_value=1, max_value=255))
def test_a_cursor_with_any_byte_changed_is_refused(place: int, change: int) -> None:
    cursor = encode_cursor(NOW, ID, namespace="a", where=FULL, secret=SECRET)
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=="))
    raw[place] ^= change
    forged = base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("=")

    with pytest.raises(InvalidRequestError):
        decode_cursor(forged, namespace="a", where=FULL, secret=SECRET)


@given(st.text(max_size=200))
def test_any_other_text_is_refused_as_a_cursor(text: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        decode_cursor(text, namespace="a", where=FULL, secret=SECRET)

    assert refused.value.details[0].field == "cursor"
