"""The index's node is killed: the API goes on without it, and the index catches up."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack
from tests.emulated.processes import kill_node, start_node_again
from tests.emulated.steady_writer import SteadyWriter

ANSWERED_WITHIN_S = 2.0
CATCHES_UP_WITHIN_S = 240.0
"""The emulator does not bring back what the indexer asks for again, so that the clock mends it:
it looks each minute at what has been pending for one."""

WRITES_WHILE_DOWN = 40


class Searcher:
    """One thread that searches for the memories that were there from the beginning.

    Attributes:
        answers: Each answer, with the seconds it took.
    """

    def __init__(self, api: DeployedApi) -> None:
        self.api = api
        self.answers: list[tuple[float, dict[str, Any]]] = []

    def search_until(self, done: threading.Event) -> None:
        while not done.is_set():
            self.search()

    def search(self) -> None:
        began = time.monotonic()
        answer = self.api.search("Where is the lighthouse?")
        self.answers.append((time.monotonic() - began, answer))


def test_while_the_index_is_down_everything_is_answered_and_then_it_catches_up(
    api: DeployedApi, stack: DeployedStack
) -> None:
    harbour = replace(api, namespace=f"{api.namespace}/harbour")
    lighthouse = harbour.store("The lighthouse stands on the northern pier.")
    searcher, writer = Searcher(harbour), SteadyWriter(api, seed=0)
    for _ in range(10):
        writer.write()
    stack.await_index(harbour.namespace)
    stack.await_index(writer.api.namespace)
    searcher.search()
    writer.slowest_s = 0.0

    kill_node()
    try:
        work_together(writer, searcher, WRITES_WHILE_DOWN)
        while_down, slowest_write_s = searcher.answers[1:], writer.slowest_s
        refused = writer.ledger.refused
        unindexed = len(stack.pending(writer.api.namespace))
    finally:
        start_node_again()
    work_together(writer, searcher, WRITES_WHILE_DOWN // 2)
    writer.ledger.assert_holds(writer.api.contents())
    stack.await_index(writer.api.namespace, CATCHES_UP_WITHIN_S)

    assert searcher.answers[0][1]["degraded"] is False
    assert [answer["degraded"] for _, answer in while_down] == [True] * len(while_down)
    assert all(answer["results"][0]["id"] == lighthouse for _, answer in searcher.answers)
    assert (refused, writer.ledger.refused) == (0, 0)
    assert unindexed > 0
    assert max(slowest_write_s, *(took for took, _ in while_down)) <= ANSWERED_WITHIN_S
    assert stack.indexed(writer.api.namespace) == stack.recorded(writer.api.namespace)
    assert writer.api.count() == len(stack.recorded(writer.api.namespace))


def work_together(writer: SteadyWriter, searcher: Searcher, writes: int) -> None:
    """Write so often, and search meanwhile."""
    done = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        searching = threads.submit(searcher.search_until, done)
        try:
            for _ in range(writes):
                writer.write()
        finally:
            done.set()
        searching.result()
