"""Whatever was written, the node nominates what naive arithmetic nominates, indexed or pending."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opensearchpy import OpenSearch

from omoide.domain.memory import Memory
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.memory_records import MemoryChange
from tests.contract.samples import NOW, deletion_of, request_of, scoring_of
from tests.contract.test_index_equality import (
    assert_same_facts,
    assert_same_rows,
    record_fields,
    searches,
)
from tests.opensearch.followed import OpenSearchFolder

pytestmark = pytest.mark.opensearch

steps = st.one_of(
    st.tuples(st.just("store"), record_fields),
    st.tuples(st.just("store"), record_fields),
    st.tuples(st.just("update"), st.tuples(st.integers(0, 50), record_fields)),
    st.tuples(st.just("delete"), st.integers(0, 50)),
)


class Writer:
    """Applies steps to a folder."""

    def __init__(self, folder: OpenSearchFolder) -> None:
        self.commit = folder.memory.records.commit
        self.live: list[Memory] = []
        self.count = 0

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
        self.live.append(memory)
        self.commit(MemoryChange(memory=memory, expected_version=None, scoring=scoring_of(memory)))

    def update(self, choice: tuple[int, dict[str, Any]]) -> None:
        if self.live:
            memory = self.live.pop(choice[0] % len(self.live))
            changed = replace(memory, version=memory.version + 1, **choice[1])
            self.live.append(changed)
            scoring = scoring_of(changed)
            self.commit(
                MemoryChange(memory=changed, expected_version=memory.version, scoring=scoring)
            )

    def delete(self, choice: int) -> None:
        if self.live:
            self.commit(deletion_of(self.live.pop(choice % len(self.live))))


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=True,
)
@given(
    indexed=st.lists(steps, min_size=4, max_size=30),
    pending=st.lists(steps, max_size=10),
    asked=st.lists(searches, min_size=1, max_size=6),
)
def test_the_node_equals_naive_arithmetic(
    client: OpenSearch,
    indexed: list[tuple[str, Any]],
    pending: list[tuple[str, Any]],
    asked: list[dict[str, Any]],
) -> None:
    folder = OpenSearchFolder(client)
    writer = Writer(folder)
    for name, argument in indexed:
        getattr(writer, name)(argument)
    folder.records.index()
    for name, argument in pending:
        getattr(writer, name)(argument)
    if not pending:
        for search in asked:
            compare_all(folder, search)
    for where in (MemoryFilter(), MemoryFilter(statuses=()), *(one["where"] for one in asked)):
        request = request_of("tea 猫", where=where, newest=3)
        expected = folder.memory.index.nominate(request)

        found = folder.index.nominate(request)

        assert sorted(found.ids) == sorted(expected.ids)
        assert_same_rows(expected, found)
    folder.close()


def compare_all(folder: OpenSearchFolder, search: dict[str, Any]) -> None:
    """Everything that does not depend on how a tie was decided."""
    request = request_of(
        search["text"],
        where=search["where"],
        newest=search["newest"],
        neighbours=search["neighbours"],
    )
    if not search["has_vector"]:
        request = replace(request, vector=None)

    assert_same_facts(folder.memory.index.nominate(request), folder.index.nominate(request))
