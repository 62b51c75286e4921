"""Scoring data as bytes."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from omoide.domain.errors import IncompatibleDataError
from omoide.domain.memory import Layer, MemoryType, Status
from omoide.domain.scoring_data import ScoringData, TermCounts
from omoide.engine.codec import FORMAT, decode, encode

DIMS = 16
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
short_texts = st.text(max_size=20)
optional_texts = st.none() | short_texts
times = st.integers(-(10**15), 10**16).map(lambda us: EPOCH + timedelta(microseconds=us))
optional_times = st.none() | times
shares = st.floats(0, 1)
single_shares = st.floats(-1, 1, width=32)


@st.composite
def term_counts(draw: st.DrawFn) -> TermCounts:
    keys = draw(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=12))
    highest = draw(st.sampled_from([2, 15, 16, 255]))
    counts = draw(st.lists(st.integers(1, highest), min_size=len(keys), max_size=len(keys)))
    return TermCounts(
        keys=np.array(sorted(keys), dtype=np.uint64), counts=np.array(counts, dtype=np.uint8)
    )


scoring_data = st.builds(
    ScoringData,
    memory_id=st.just("m1"),
    namespace=st.just("a"),
    version=st.integers(1, 2**32 - 1),
    revision=short_texts,
    vectors=npst.arrays(
        np.float16,
        st.integers(0, 3).map(lambda n: (n, DIMS)),
        elements=st.floats(-1, 1, width=16),
    ),
    token_bits=npst.arrays(np.uint8, st.integers(0, 5).map(lambda n: (n, DIMS // 8))),
    own_terms=term_counts(),
    context_terms=term_counts(),
    asks=st.booleans(),
    is_question=st.booleans(),
    changes=st.booleans(),
    tells_time=st.booleans(),
    scripts=st.integers(0, 255),
    memory_type=st.sampled_from(MemoryType),
    status=st.sampled_from(Status),
    layer=st.none() | st.sampled_from(Layer),
    pinned=st.booleans(),
    resolved=st.booleans(),
    importance=shares,
    confidence=shares,
    arousal=single_shares,
    valence=single_shares,
    created_at=times,
    event_time=times,
    invalidated_at=optional_times,
    expires_at=optional_times,
    last_activated_at=optional_times,
    session_id=optional_texts,
    turn=st.none() | st.integers(0, 2**31),
    speaker=optional_texts,
    agent_id=optional_texts,
    user_id=optional_texts,
    tags=st.lists(short_texts, max_size=64).map(tuple),
)


def plain(value: Any) -> Any:
    if isinstance(value, TermCounts):
        return (value.keys.tolist(), value.counts.tolist())
    if isinstance(value, np.ndarray):
        array = cast("NDArray[Any]", value)
        return (array.dtype.str, array.shape, array.tobytes())
    return value


@given(scoring_data)
def test_decoding_undoes_encoding(scoring: ScoringData) -> None:
    found = decode(encode(scoring), memory_id="m1", namespace="a")

    for field in fields(ScoringData):
        expected = getattr(scoring, field.name)
        assert plain(getattr(found, field.name)) == plain(expected), field.name


@given(scoring_data)
def test_equal_data_give_equal_bytes(scoring: ScoringData) -> None:
    blob = encode(scoring)

    assert encode(decode(blob, memory_id="m1", namespace="a")) == blob


@given(scoring_data)
def test_a_newer_format_is_refused(scoring: ScoringData) -> None:
    blob = bytes([FORMAT + 1]) + encode(scoring)[1:]

    with pytest.raises(IncompatibleDataError, match=str(FORMAT + 1)):
        decode(blob, memory_id="m1", namespace="a")


@given(scoring_data)
def test_the_first_format_reads_as_telling_of_no_change_and_no_time(scoring: ScoringData) -> None:
    silent = replace(scoring, changes=False, tells_time=False)
    blob = bytes([1]) + encode(silent)[1:]

    found = decode(blob, memory_id="m1", namespace="a")

    assert (found.changes, found.tells_time) == (False, False)
    assert encode(found) == encode(silent)


def test_a_turn_of_usual_length_takes_little_room() -> None:
    """24 token rows of 48 bytes, one vector of 768, and 30 distinct terms with the turn before."""
    random = np.random.default_rng(0)

    def terms(count: int) -> TermCounts:
        keys = np.sort(random.integers(0, 2**63, count, dtype=np.int64)).astype(np.uint64)
        return TermCounts(keys=keys, counts=np.ones(count, dtype=np.uint8))

    now = datetime(2026, 1, 1, tzinfo=UTC)
    scoring = ScoringData(
        memory_id="019b76da-a800-70a2-be0a-1128a3d399d2",
        namespace="default",
        version=1,
        revision="0123456789ab",
        vectors=np.zeros((1, 384), dtype=np.float16),
        token_bits=np.zeros((24, 48), dtype=np.uint8),
        own_terms=terms(16),
        context_terms=terms(14),
        asks=False,
        is_question=False,
        changes=False,
        tells_time=False,
        scripts=1,
        memory_type=MemoryType.EPISODIC,
        status=Status.ACTIVE,
        layer=None,
        pinned=False,
        resolved=True,
        importance=0.5,
        confidence=0.5,
        arousal=0.0,
        valence=0.0,
        created_at=now,
        event_time=now,
        invalidated_at=None,
        expires_at=None,
        last_activated_at=None,
        session_id="session_12",
        turn=3,
        speaker="Caroline",
        agent_id=None,
        user_id=None,
        tags=(),
    )

    assert len(encode(scoring)) <= 2_350
