"""Whatever was written, the engine over files nominates what naive arithmetic nominates."""

import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide.adapters.embedded import EmbeddedFolder, open_folder
from omoide.adapters.fake import FakeEntropy, FakeFolder
from omoide.domain.candidates import FieldStatistics, NominationRequest, Pool
from omoide.domain.lexical import K1, B, inverse_document_frequency, quantised_length
from omoide.domain.memory import Layer, Memory, MemoryType, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_records import MemoryChange, Rescoring
from tests.contract.folders import clock_at
from tests.contract.samples import DIMS, NOW, REVISION, deletion_of, request_of, scoring_of

WORDS = ("tea", "car", "sky", "shoe", "tree", "milk", "お茶", "猫")
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
times = st.integers(-3, 3).map(lambda hours: NOW + timedelta(hours=hours))
optional_times = st.none() | times
tags = st.lists(st.sampled_from("abcd"), max_size=3, unique=True).map(tuple)
values = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0])
record_fields = st.fixed_dictionaries(
    {
        "content": texts,
        "memory_type": st.sampled_from(MemoryType),
        "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, *Status]),
        "layer": st.none() | st.sampled_from(Layer),
        "pinned": st.booleans(),
        "importance": values,
        "confidence": values,
        "event_time": times,
        "invalidated_at": optional_times,
        "expires_at": optional_times,
        "session_id": st.none() | st.sampled_from("st"),
        "turn": st.none() | st.integers(0, 6),
        "speaker": st.none() | st.sampled_from(["Hanako", "太郎"]),
        "agent_id": st.none() | st.sampled_from("ab"),
        "user_id": st.none() | st.just("u"),
        "tags": tags,
    }
)
filters = st.builds(
    MemoryFilter,
    memory_types=st.just(()) | st.just((MemoryType.SEMANTIC, MemoryType.EPISODIC)),
    tags_any=tags,
    tags_all=st.just(()) | tags,
    statuses=st.sampled_from([(), (Status.ACTIVE,), (Status.ARCHIVED, Status.EXPIRED)]),
    session_id=st.none() | st.sampled_from("stu"),
    agent_id=st.none() | st.just("a"),
    user_id=st.none() | st.just("u"),
    speaker=st.none() | st.just("太郎"),
    layer=st.none() | st.just(Layer.FACT),
    pinned=st.none() | st.booleans(),
    importance_min=st.none() | values,
    confidence_min=st.none() | values,
    event_after=optional_times,
    event_before=optional_times,
    valid_at=optional_times,
    now=optional_times,
)
light_filters = st.just(MemoryFilter()) | st.just(MemoryFilter(statuses=())) | filters
searches = st.fixed_dictionaries(
    {
        "text": st.sampled_from(WORDS) | texts.filter(bool),
        "where": light_filters,
        "pool": st.sampled_from([1, 2, 5, 100]),
        "newest": st.sampled_from([0, 2]),
        "neighbours": st.booleans(),
        "has_vector": st.booleans(),
    }
)
steps = st.one_of(
    st.tuples(st.just("store"), record_fields),
    st.tuples(st.just("store"), record_fields),
    st.tuples(st.just("update"), st.tuples(st.integers(0, 50), record_fields)),
    st.tuples(st.just("delete"), st.integers(0, 50)),
    st.tuples(st.just("rescore"), st.tuples(st.integers(0, 50), texts)),
    st.tuples(st.just("search"), searches),
    st.tuples(st.just("maintain"), st.booleans()),
)


class Pair:
    """The naive folder and the real one, written to alike."""

    def __init__(self, path: Path) -> None:
        self.naive = FakeFolder(clock=clock_at())
        self.real: EmbeddedFolder = open_folder(
            path,
            revision=REVISION,
            model_id="fake",
            dims=DIMS,
            clock=clock_at(),
            entropy=FakeEntropy(),
            segment_rows=3,
        )
        self.live: dict[str, Memory] = {}
        self.count = 0

    def commit(self, change: MemoryChange) -> None:
        for folder in (self.naive, self.real):
            folder.records.commit(change)

    def store(self, values: dict[str, Any]) -> None:
        self.count += 1
        memory = Memory(
            id=f"m{self.count:03}",
            namespace="team/a",
            created_at=NOW,
            updated_at=NOW,
            stored_at=NOW,
            **values,
        )
        self.live[memory.id] = memory
        self.commit(MemoryChange(memory=memory, expected_version=None, scoring=scoring_of(memory)))

    def update(self, choice: tuple[int, dict[str, Any]]) -> None:
        for memory in self._chosen(choice[0]):
            changed = replace(memory, version=memory.version + 1, **choice[1])
            self.live[memory.id] = changed
            self.commit(
                MemoryChange(
                    memory=changed, expected_version=memory.version, scoring=scoring_of(changed)
                )
            )

    def delete(self, choice: int) -> None:
        for memory in self._chosen(choice):
            del self.live[memory.id]
            self.commit(deletion_of(memory))

    def rescore(self, choice: tuple[int, str]) -> None:
        """Change one memory and encode the one after it with another previous turn."""
        for memory in self._chosen(choice[0]):
            for follower in self._chosen(choice[0] + 1):
                scoring = scoring_of(follower, previous=choice[1])
                changed = replace(memory, version=memory.version + 1)
                self.live[memory.id] = changed
                self.commit(
                    MemoryChange(
                        memory=changed,
                        expected_version=memory.version,
                        scoring=scoring_of(changed),
                        rescorings=(Rescoring(scoring=scoring),),
                    )
                )

    def maintain(self, is_forced: bool) -> None:
        self.real.maintenance.run(1, is_forced=is_forced)

    def search(self, values: dict[str, Any]) -> None:
        asked = dict(values)
        text, has_vector = asked.pop("text"), asked.pop("has_vector")
        request = request_of(text, **asked)
        if not has_vector:
            request = replace(request, vector=None)
        compare(request, self.naive, self.real)

    def _chosen(self, choice: int) -> Iterator[Memory]:
        if self.live:
            yield list(self.live.values())[choice % len(self.live)]


def compare(request: NominationRequest, naive: FakeFolder, real: EmbeddedFolder) -> None:
    """Assert equality of everything; only ties at the edge of an arm may fall either way."""
    everything = naive.index.nominate(replace(request, pool=10_000))
    assert_same_facts(everything, real.index.nominate(replace(request, pool=10_000)))
    expected, found = naive.index.nominate(request), real.index.nominate(request)
    if sorted(expected.ids) == sorted(found.ids):
        assert_same_rows(expected, found)
    scores = {"by_dense": everything.dense, "by_lexical": bm25(everything)}
    for arm, values in scores.items():
        score_of = dict(zip(everything.ids, values.tolist(), strict=True))
        wanted = sorted(score_of[i] for i in members(expected, arm))
        given_ = sorted(score_of[i] for i in members(found, arm))
        np.testing.assert_allclose(given_, wanted, atol=1e-3)


def members(pool: Pool, arm: str) -> list[str]:
    flags: list[bool] = getattr(pool, arm).tolist()
    return [i for i, is_in in zip(pool.ids, flags, strict=True) if is_in]


def bm25(pool: Pool) -> np.ndarray[Any, np.dtype[np.float64]]:
    statistics = pool.context
    idf = inverse_document_frequency(statistics.document_count, statistics.document_frequency)
    lengths = quantised_length(pool.context_lengths)[:, np.newaxis]
    norms = K1 * (1 - B + B * lengths / (statistics.average_length or 1.0))
    counts = pool.context_counts.astype(np.float64)
    return (idf * counts / (counts + norms)).sum(axis=1)


def assert_same_facts(expected: Pool, found: Pool) -> None:
    assert sorted(expected.ids) == sorted(found.ids)
    assert_same_rows(expected, found)
    for name in ("own", "context"):
        wanted: FieldStatistics = getattr(expected, name)
        given_: FieldStatistics = getattr(found, name)
        assert wanted.document_count == given_.document_count
        assert np.isclose(wanted.average_length, given_.average_length)
        np.testing.assert_array_equal(wanted.document_frequency, given_.document_frequency)


def assert_same_rows(expected: Pool, found: Pool) -> None:
    rows = [expected.ids.index(memory_id) for memory_id in found.ids]
    for field in fields(Pool):
        name = field.name
        if name in {"own", "context", "is_complete", "token_bits", "token_offsets"}:
            continue
        if name in {"by_dense", "by_lexical"} and not is_unambiguous(expected, found, name):
            continue
        wanted, given_ = getattr(expected, name), getattr(found, name)
        if isinstance(given_, list):
            assert [wanted[i] for i in rows] == given_, name
        else:
            assert wanted.dtype == given_.dtype, name
            np.testing.assert_allclose(wanted[rows], given_, atol=1e-5, err_msg=name)
    assert [bits_of(expected, i) for i in rows] == [bits_of(found, i) for i in range(len(rows))]


def is_unambiguous(expected: Pool, found: Pool, arm: str) -> bool:
    """Whether the arm took every member it could have, so that no tie was decided."""
    return len(members(expected, arm)) == len(members(found, arm)) and members(
        expected, arm
    ) == sorted(members(found, arm))


def bits_of(pool: Pool, row: int) -> list[list[int]]:
    return pool.token_bits[pool.token_offsets[row] : pool.token_offsets[row + 1]].tolist()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(st.lists(steps, min_size=4, max_size=40))
def test_the_engine_over_files_equals_naive_arithmetic(script: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as path:
        pair = Pair(Path(path) / "data")
        for name, argument in script:
            getattr(pair, name)(argument)
        for memory_filter in (MemoryFilter(), MemoryFilter(statuses=())):
            compare(request_of("tea 猫", where=memory_filter, newest=3), pair.naive, pair.real)

        problems = pair.real.verify()

        pair.real.close()
        assert problems == ()
