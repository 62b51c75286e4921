"""Functions and the node of the index are killed at any moment: nothing acknowledged is lost."""

import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack, eventually
from tests.emulated.processes import function_processes, kill, kill_node, start_node_again
from tests.emulated.steady_writer import SteadyWriter

KILLS = int(os.environ.get("OMOIDE_EMULATED_KILLS", "24"))
ONE_NODE_IN = 8
INDEXER_SHARE = 0.5
WRITERS = 2


class Killer:
    """Kills what works for the stack.

    Attributes:
        kills: How many processes were killed, by what they were.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.kills = {"indexer": 0, "function": 0, "node": 0}

    @property
    def count(self) -> int:
        return sum(self.kills.values())

    def kill_one(self) -> None:
        """Kill something as soon as there is something to kill."""
        if self.count % ONE_NODE_IN == ONE_NODE_IN - 1:
            kill_node()
            self.kills["node"] += 1
            start_node_again()
            return
        is_indexer = self._random.random() < INDEXER_SHARE
        name = "index_memories" if is_indexer else ""
        found = eventually(lambda: function_processes(name), lambda found: found != [])
        time.sleep(self._random.random() / 2)
        if kill(self._random.choice(found)):
            self.kills["indexer" if is_indexer else "function"] += 1


def test_no_acknowledged_write_is_lost_in_kills(api: DeployedApi, stack: DeployedStack) -> None:
    writers = [SteadyWriter(api, seed) for seed in range(WRITERS)]
    killer, done = Killer(seed=0), threading.Event()
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(writer.write_until, done) for writer in writers]
        try:
            while killer.count < KILLS and not any(one.done() for one in writing):
                killer.kill_one()
        finally:
            done.set()
        for one in writing:
            one.result()
    for writer in writers:
        writer.ledger.assert_holds(writer.api.contents())
        stack.mend(writer.api.namespace)

    for writer in writers:
        namespace = writer.api.namespace
        assert stack.indexed(namespace) == stack.recorded(namespace)
        assert writer.api.contents().keys() == stack.recorded(namespace).keys()
        assert writer.api.count() == len(stack.recorded(namespace))
    told = [(one.ledger.acknowledged, one.ledger.refused) for one in writers]
    print(f"{killer.kills}; acknowledged and refused by writer: {told}")
    assert killer.count == KILLS
    assert sum(acknowledged for acknowledged, _ in told) > KILLS
