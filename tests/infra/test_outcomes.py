"""Counting memories and results from answers."""

import json

import pytest

from infra.local.metrics import Metrics
from infra.local.outcomes import count_outcome
from infra.local.proxy_event import LocalResponse


def counted(operation: str, status: int, body: object) -> list[str]:
    metrics = Metrics()
    response = LocalResponse(status, [], json.dumps(body).encode())
    count_outcome(metrics, operation, response)
    return metrics.exposition().decode().splitlines()


def test_a_new_memory_counts_and_a_duplicate_does_not():
    created, known = {"outcome": "created"}, {"outcome": "duplicate"}

    assert "omoide_memories_stored_total 1.0" in counted("store_memory", 201, created)
    assert "omoide_memories_stored_total 0.0" in counted("store_memory", 200, known)
    assert "omoide_memories_stored_total 0.0" in counted("store_memory", 422, {})


def test_in_other_shapes_a_known_memory_is_told_by_its_accesses():
    memex, new, known = {"id": "m"}, {"access_count": 0}, {"access_count": 3}

    assert "omoide_memories_stored_total 1.0" in counted("store_memory", 201, memex)
    assert "omoide_memories_stored_total 1.0" in counted("store_memory", 201, new)
    assert "omoide_memories_stored_total 0.0" in counted("store_memory", 201, known)


def test_of_a_batch_the_new_memories_count():
    new = {"status": 201, "memory": {"outcome": "created", "metadata": {"outcome": "duplicate"}}}
    known = {"status": 200, "memory": {"outcome": "duplicate", "metadata": {"outcome": "created"}}}
    bad: object = {"status": 422, "error": {}}
    answer = {"results": [new, new, known, bad], "stored": 3, "failed": 1}

    assert "omoide_memories_stored_total 2.0" in counted("store_memories", 200, answer)


@pytest.mark.parametrize("query", ['"total": 50', "x"])
def test_a_search_counts_its_results_whatever_memories_and_queries_say(query: str):
    answer = {"results": [{"metadata": {"total": 99}}], "query": query, "total": 3}

    assert "omoide_search_results_sum 3.0" in counted("search_memories", 200, answer)
