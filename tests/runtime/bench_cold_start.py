"""How long a function takes from its start to its first answer, and how long afterwards.

``python -m tests.runtime.bench_cold_start`` prints milliseconds; the table is in this process.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from infra.local.lambdas.events import call, named
from infra.local.lambdas.runtime_api import LambdaFunction
from infra.local.lambdas.unpacked import deploy, set_writable
from tests.runtime.conftest import running_aws

STARTS, WARM = 5, 20
QUERY = {"query": "what does Mika drink", "namespace": "team/kitchen"}
BODIES: dict[str, object] = {
    "search_memories": QUERY,
    "store_memory": {"content": "Mika drinks oolong.", "namespace": "team/kitchen"},
    "count_memories": None,
}


def milliseconds(function: LambdaFunction, name: str) -> float:
    """Invoke once; the answer must be one."""
    event = call(named(name), body=BODIES[name])
    began = time.perf_counter()
    outcome = function.invoke(event)
    took = (time.perf_counter() - began) * 1_000
    assert not outcome.failed, outcome.payload
    assert outcome.payload["statusCode"] < 300, outcome.payload
    return took


def main() -> None:
    """Measure each function in processes of its own."""
    with tempfile.TemporaryDirectory() as scratch, running_aws() as settings:
        del settings["OMOIDE_OPENSEARCH_URL"]
        deployed = deploy(Path(scratch))
        for name in BODIES:
            cold: list[float] = []
            warm: list[float] = []
            for start in range(STARTS):
                folder = Path(scratch) / f"{name}{start}"
                function = deployed.function(named(name), settings, folder)
                cold.append(milliseconds(function, name))
                warm += [milliseconds(function, name) for _ in range(WARM)]
                function.close()
            sys.stdout.write(
                f"{name}: cold {statistics.median(cold):.0f} ms ({min(cold):.0f} to "
                f"{max(cold):.0f}), warm {statistics.median(warm):.0f} ms\n"
            )
        for root in (deployed.opt, deployed.core, deployed.task):
            set_writable(root, is_writable=True)


if __name__ == "__main__":
    main()
