"""What `MemoryIndex` promises, on small examples worked out by hand."""

import math
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from omoide.domain.candidates import Pool
from omoide.domain.memory import Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_records import MemoryChange
from tests.contract.folders import Folder
from tests.contract.samples import (
    DIMS,
    EVERYTHING,
    NO_TERMS,
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    request_of,
    scoring_of,
    update_of,
    vector_of,
)

NO_WORDS = np.zeros(0, dtype=np.uint64)


@pytest.fixture
def folder(local_folder: Folder) -> Folder:
    """A table of records alone has no search engine."""
    return local_folder


def nominated(pool: Pool, arm: str) -> set[str]:
    flags = {"dense": pool.by_dense, "lexical": pool.by_lexical}[arm].tolist()
    return {memory_id for memory_id, is_in in zip(pool.ids, flags, strict=True) if is_in}


def test_an_empty_namespace_has_an_empty_pool(folder: Folder) -> None:
    pool = folder.index.nominate(request_of("red car"))

    assert pool.ids == []
    assert pool.token_offsets.tolist() == [0]
    assert pool.own_counts.shape == (0, 2)
    assert pool.context.document_count == 0
    assert pool.context.average_length == 0.0


def test_the_dense_arm_nominates_the_nearest(folder: Folder) -> None:
    for i, text in enumerate(["red car", "red bus", "blue sky", "old shoe"]):
        folder.records.commit(creation_of(memory_of(f"m{i}", text)))

    pool = folder.index.nominate(request_of("red car", pool=2, terms=NO_WORDS))

    assert nominated(pool, "dense") == {"m0", "m1"}
    assert nominated(pool, "lexical") == set()
    assert dict(zip(pool.ids, pool.dense.tolist(), strict=True))["m0"] == pytest.approx(1, abs=1e-3)


def test_the_lexical_arm_nominates_what_shares_words(folder: Folder) -> None:
    for i, text in enumerate(["red car", "red bus and red bus", "blue sky"]):
        folder.records.commit(creation_of(memory_of(f"m{i}", text)))

    pool = folder.index.nominate(request_of("red", vector=None))

    assert nominated(pool, "lexical") == {"m0", "m1"}
    assert nominated(pool, "dense") == set()
    assert np.isnan(pool.dense).all()
    assert dict(zip(pool.ids, pool.own_counts[:, 0].tolist(), strict=True)) == {"m0": 1, "m1": 2}


def test_bm25_decides_who_is_nominated(folder: Folder) -> None:
    texts = ["tea tea tea", "tea water juice milk beer wine", "tea tea", "water", "coffee"]
    for i, text in enumerate(texts):
        folder.records.commit(creation_of(memory_of(f"m{i}", text)))
    lengths = [len(text.split()) for text in texts]
    average = sum(lengths) / 5

    def bm25(count: int, length: int) -> float:
        idf = math.log(1 + (5 - 3 + 0.5) / (3 + 0.5))
        return idf * count / (count + 0.9 * (1 - 0.4 + 0.4 * length / average))

    ranked = sorted([(bm25(3, 3), "m0"), (bm25(1, 6), "m1"), (bm25(2, 2), "m2")], reverse=True)
    for size in (1, 2, 3):
        pool = folder.index.nominate(request_of("tea", vector=None, pool=size))
        assert nominated(pool, "lexical") == {memory_id for _, memory_id in ranked[:size]}
        assert pool.own.average_length == pytest.approx(average)
        assert pool.own.document_frequency.tolist() == [3.0]


def test_words_of_the_previous_turn_count_as_context(folder: Folder) -> None:
    memory = memory_of("m1", "every day")
    folder.records.commit(creation_of(memory, previous="tea tea"))
    folder.records.commit(creation_of(memory_of("m2", "tea")))

    pool = folder.index.nominate(request_of("tea", vector=None))

    rows = {memory_id: i for i, memory_id in enumerate(pool.ids)}
    assert nominated(pool, "lexical") == {"m1", "m2"}
    assert pool.own_counts[rows["m1"], 0] == 0
    assert pool.context_counts[rows["m1"], 0] == 2
    assert pool.context_lengths[rows["m1"]] == pool.own_lengths[rows["m1"]] + 2
    assert pool.own.document_frequency.tolist() == [1.0]
    assert pool.context.document_frequency.tolist() == [2.0]


def test_statistics_count_every_status_and_no_deleted_record(folder: Folder) -> None:
    for i in range(4):
        folder.records.commit(creation_of(memory_of(f"m{i}", "tea water")))
    folder.index.nominate(request_of("tea"))
    folder.records.commit(update_of(memory_of("m1", "tea water"), status=Status.ARCHIVED))
    folder.records.commit(deletion_of(memory_of("m2", "tea water")))
    folder.records.commit(creation_of(memory_of("far", "tea", namespace="team/b")))

    pool = folder.index.nominate(request_of("tea"))

    assert set(pool.ids) == {"m0", "m3"}
    assert pool.own.document_count == 3
    assert pool.own.document_frequency.tolist() == [3.0]
    assert pool.own.average_length == 2.0


def test_a_filter_does_not_make_the_pool_smaller(folder: Folder) -> None:
    for i in range(12):
        folder.records.commit(creation_of(memory_of(f"near{i}", "red car")))
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"far{i}", "red shoe", tags=("x",))))

    pool = folder.index.nominate(request_of("red car", pool=3, where=MemoryFilter(tags_any=("x",))))

    assert nominated(pool, "dense") == {"far0", "far1", "far2"}
    assert nominated(pool, "lexical") == {"far0", "far1", "far2"}


def test_neighbours_of_nominated_turns_join(folder: Folder) -> None:
    for turn in (1, 3, 7, 8, 20):
        memory = memory_of(f"m{turn}", f"turn number{turn}", session_id="s", turn=turn)
        folder.records.commit(creation_of(memory))
    folder.records.commit(creation_of(memory_of("x", "else", session_id="t", turn=6)))

    request = request_of("number7", vector=None)
    with_neighbours = folder.index.nominate(request)
    alone = folder.index.nominate(replace(request, neighbours=False))

    assert set(with_neighbours.ids) == {"m3", "m7", "m8"}
    assert nominated(with_neighbours, "lexical") == {"m7"}
    assert alone.ids == ["m7"]
    turns = dict(zip(with_neighbours.ids, with_neighbours.turns.tolist(), strict=True))
    assert turns == {"m3": 3, "m7": 7, "m8": 8}


def test_a_neighbour_satisfies_the_filter_too(folder: Folder) -> None:
    for turn in range(5):
        status = Status.ARCHIVED if turn in (1, 3) else Status.ACTIVE
        memory = memory_of(f"m{turn}", f"number{turn}", session_id="s", turn=turn, status=status)
        folder.records.commit(creation_of(memory))

    pool = folder.index.nominate(request_of("number2", vector=None))

    assert set(pool.ids) == {"m0", "m2", "m4"}


def test_the_newest_join_by_the_time_of_the_event(folder: Folder) -> None:
    for i, hours in enumerate([5, 9, 1, 7]):
        event_time = NOW + timedelta(hours=hours)
        folder.records.commit(creation_of(memory_of(f"m{i}", "x", event_time=event_time)))

    pool = folder.index.nominate(request_of("y", vector=None, newest=2))

    assert set(pool.ids) == {"m1", "m3"}
    assert not pool.by_dense.any()
    assert not pool.by_lexical.any()


def test_every_chunk_can_be_found_and_the_memory_comes_once(folder: Folder) -> None:
    memory = memory_of("m1", "red car")
    vectors = np.stack([vector_of("red car"), vector_of("blue sky"), vector_of("old shoe")])
    scoring = scoring_of(memory, vectors=vectors.astype(np.float16))
    change = MemoryChange(memory=memory, expected_version=None, scoring=scoring)
    folder.records.commit(change)
    folder.records.commit(creation_of(memory_of("m2", "green tree")))

    pool = folder.index.nominate(request_of("old shoe", terms=NO_WORDS, pool=1))

    assert pool.ids == ["m1"]
    assert pool.dense[0] == pytest.approx(1, abs=1e-3)


def test_vectors_of_another_revision_are_not_compared(folder: Folder) -> None:
    memory = memory_of("old", "red car")
    scoring = scoring_of(memory, revision="another")
    change = MemoryChange(memory=memory, expected_version=None, scoring=scoring)
    folder.records.commit(change)
    folder.records.commit(creation_of(memory_of("new", "red bus")))

    pool = folder.index.nominate(request_of("red car"))

    old = pool.ids.index("old")
    assert nominated(pool, "dense") == {"new"}
    assert nominated(pool, "lexical") == {"old", "new"}
    assert np.isnan(pool.dense[old])
    assert pool.token_offsets[old] == pool.token_offsets[old + 1]


def test_a_memory_without_vectors_is_found_by_its_words(folder: Folder) -> None:
    memory = memory_of("m1", "red car")
    scoring = scoring_of(
        memory,
        vectors=np.zeros((0, DIMS), dtype=np.float16),
        token_bits=np.zeros((0, DIMS // 8), dtype=np.uint8),
    )
    change = MemoryChange(memory=memory, expected_version=None, scoring=scoring)
    folder.records.commit(change)

    pool = folder.index.nominate(request_of("car"))

    assert pool.ids == ["m1"]
    assert nominated(pool, "dense") == set()


def test_a_memory_without_words_is_found_by_its_vector(folder: Folder) -> None:
    memory = memory_of("m1", "red car")
    scoring = scoring_of(memory, own_terms=NO_TERMS)
    change = MemoryChange(memory=memory, expected_version=None, scoring=scoring)
    folder.records.commit(change)

    assert folder.index.nominate(request_of("car")).ids == ["m1"]


def test_the_token_bits_of_each_member_are_its_own(folder: Folder) -> None:
    memories = [memory_of("m1", "red car"), memory_of("m2", "a blue sky above")]
    for memory in memories:
        folder.records.commit(creation_of(memory))

    pool = folder.index.nominate(request_of("red sky"))

    for memory in memories:
        i = pool.ids.index(memory.id)
        bits = pool.token_bits[pool.token_offsets[i] : pool.token_offsets[i + 1]]
        assert np.array_equal(bits, scoring_of(memory).token_bits)


def test_a_write_is_seen_by_the_next_search(folder: Folder) -> None:
    memory = memory_of("m1", "red car")
    seen: list[list[str]] = []
    for change in (
        creation_of(memory),
        update_of(memory, content="blue sky"),
        deletion_of(replace(memory, version=2)),
    ):
        folder.records.commit(change)
        pool = folder.index.nominate(request_of("red", vector=None, where=EVERYTHING))
        seen.append(pool.ids)

    assert seen == [["m1"], [], []]
