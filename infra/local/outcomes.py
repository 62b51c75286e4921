"""Counting what requests achieved, from their answers."""

import re

from infra.local.metrics import Metrics
from infra.local.proxy_event import LocalResponse

_COUNT = re.compile(rb'"(stored|total)":\s*(\d+)')
"""A count at the top level of an answer: within a JSON string its quotes would be escaped."""


def count_outcome(counters: Metrics, operation: str, response: LocalResponse) -> None:
    """Count the memories an answer stored or found.

    Args:
        counters: Where to count.
        operation: Name of the function.
        response: Its answer.
    """
    if operation == "store_memory" and response.status == 201:
        counters.memories_stored.inc()
    elif operation == "store_memories" and response.status == 200:
        counters.memories_stored.inc(_last_count(response.body, b"stored"))
    elif operation == "search_memories" and response.status == 200:
        counters.search_results.observe(_last_count(response.body, b"total"))


def _last_count(body: bytes, name: bytes) -> int:
    """The last such count: memories, which may hold such a field of their own, come first."""
    found = [number for key, number in _COUNT.findall(body) if key == name]
    return int(found[-1]) if found else 0
