"""Counting what requests achieved, from their answers."""

import json
import re
from typing import Any

from infra.local.metrics import Metrics
from infra.local.proxy_event import LocalResponse

_TOTAL = re.compile(rb'"total":\s*(\d+)')
"""A count at the top level of an answer: within a JSON string its quotes would be escaped."""


def count_outcome(counters: Metrics, operation: str, response: LocalResponse) -> None:
    """Count the memories an answer made or found.

    Args:
        counters: Where to count.
        operation: Name of the function.
        response: Its answer.
    """
    if operation == "store_memory" and response.status == 201:
        counters.memories_stored.inc(_is_new(json.loads(response.body)))
    elif operation == "store_memories" and response.status == 200:
        results: list[dict[str, Any]] = json.loads(response.body)["results"]
        counters.memories_stored.inc(sum(_is_new(r["memory"]) for r in results if "memory" in r))
    elif operation == "search_memories" and response.status == 200:
        counters.search_results.observe(_last_total(response.body))


def _is_new(memory: dict[str, Any]) -> bool:
    """Whether a store made the memory.

    Answers in the shapes of others do not tell the outcome. There a memory that was known before
    has an access, this one; a new one has none.
    """
    outcome = memory.get("outcome")
    return outcome == "created" if outcome is not None else not memory.get("access_count")


def _last_total(body: bytes) -> int:
    """The last such count: memories, which may hold such a field of their own, come first."""
    found = _TOTAL.findall(body)
    return int(found[-1]) if found else 0
