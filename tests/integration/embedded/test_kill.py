"""Writers that are killed at any moment lose nothing they were told is written."""

import os
import random
from pathlib import Path
from subprocess import Popen

import pytest

from omoide.domain.errors import NotFoundError
from omoide.ports.memory_records import MemoryRecords
from tests.contract.samples import request_of
from tests.integration.embedded.processes import opened, start

pytestmark = pytest.mark.integration

ROUNDS = int(os.environ.get("OMOIDE_KILL_ROUNDS", "8"))
WRITERS = 3

State = tuple[int, bool]
"""Version, and whether the memory is deleted."""


def kill_after(victim: Popen[str], count: int) -> list[list[str]]:
    """Read so many lines, kill the process, and return all it said."""
    assert victim.stdout is not None
    assert victim.stderr is not None
    lines = [victim.stdout.readline() for _ in range(count)]
    victim.kill()
    lines += list(victim.stdout)
    errors = victim.stderr.read()
    victim.communicate()
    assert errors == ""
    return [line.split() for line in lines if line.endswith("\n")]


def states_of(lines: list[list[str]]) -> tuple[dict[str, State], dict[str, State]]:
    """What was acknowledged of each memory, and what was begun and not acknowledged."""
    acknowledged: dict[str, State] = {}
    begun: dict[str, State] = {}
    for word, memory_id, version, is_deleted in lines:
        state = (int(version), is_deleted == "True")
        if word == "begin":
            begun[memory_id] = state
        else:
            acknowledged[memory_id] = state
            del begun[memory_id]
    return acknowledged, begun


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_acknowledged_write_is_lost(number: int, tmp_path: Path) -> None:
    choices = random.Random(number)
    path = tmp_path / "data"
    victims = [start("run_victim", path, f"v{number}-{i}") for i in range(WRITERS)]
    said = [kill_after(victim, choices.randrange(1, 240)) for victim in victims]

    with opened(path) as folder:
        pool = folder.index.nominate(
            request_of("text", vector=None, pool=100_000, neighbours=False)
        )
        assert folder.verify() == ()
        assert len(pool.ids) == folder.records.count("team/a")
        for lines in said:
            acknowledged, begun = states_of(lines)
            assert len(begun) <= 1
            for memory_id, state in acknowledged.items():
                found = found_state(folder.records, memory_id, state)
                assert found in {state, begun.get(memory_id, state)}
                assert (memory_id in pool.ids) is not found[1]


def found_state(records: MemoryRecords, memory_id: str, acknowledged: State) -> State:
    try:
        return (records.get(memory_id).version, False)
    except NotFoundError:
        return (acknowledged[0] + (not acknowledged[1]), True)
