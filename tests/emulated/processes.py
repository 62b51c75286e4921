"""The processes behind the deployed stack that a test may kill: functions, and the index's node."""

import os
import signal
import subprocess
from pathlib import Path

from infra.local.emulate import PID_VARIABLE, STATE_VARIABLE
from infra.local.emulator import HOME, UNPACKED
from infra.local.lambdas.unpacked import host_target
from infra.local.opensearch_node import HOME_VARIABLE, URL_VARIABLE, Node, end_node, start_node
from infra.packaging.build import build_package

_OF_A_FUNCTION = "ministack-lambda-"
_started: list[Node] = []
"""Nodes that were started here; the last one outlives the tests."""


def function_processes(name: str = "") -> list[int]:
    """The processes of functions that run.

    Args:
        name: Of one function, as in the manifest; of every function when empty.
    """
    wanted = "".join(part.title() for part in name.split("_"))
    listed = subprocess.run(
        ["ps", "-ww", "-A", "-o", "pid=,ppid=,stat=,args="],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = [line.split(maxsplit=3) for line in listed.splitlines()]
    return [
        int(pid)
        for pid, parent, state, arguments in (row for row in rows if len(row) == 4)
        if parent == os.environ[PID_VARIABLE]
        and not state.startswith("Z")
        and _OF_A_FUNCTION in arguments
        and f"Functions{wanted}" in arguments
    ]


def files_left_by_functions() -> set[str]:
    """What functions have written to their home, or beside the code and layers they were given."""
    package = build_package(host_target())
    deployed = {files_in(one) for one in (package.core, package.embedding, package.functions)}
    state = Path(os.environ[STATE_VARIABLE])
    unpacked = [files_in(one) for one in (state / UNPACKED).iterdir()]
    assert unpacked
    strange = {name for files in unpacked if files not in deployed for name in files}
    return strange.difference(*deployed) | files_in(state / HOME)


def files_in(folder: Path) -> frozenset[str]:
    return frozenset(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())


def kill(pid: int) -> bool:
    """End a process as a crash would; tell whether it still ran."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def kill_node() -> None:
    """End the node of the index as a crash would."""
    end_node(_node_home(), signal.SIGKILL)
    for node in _started:
        node.process.poll()


def start_node_again() -> None:
    """Start the node on what it has left, where it was, and wait until it answers."""
    node = start_node(_node_home(), port=int(os.environ[URL_VARIABLE].rpartition(":")[2]))
    _started.append(node)


def _node_home() -> Path:
    assert HOME_VARIABLE in os.environ, f"{URL_VARIABLE} names a node that is not to be killed"
    return Path(os.environ[HOME_VARIABLE])
