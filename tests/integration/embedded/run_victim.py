"""A process that writes until it is killed, telling what it begins and what has returned."""

import random
import sys
from pathlib import Path

from omoide.domain.memory import Memory
from omoide.ports.memory_records import MemoryChange
from tests.contract.samples import creation_of, deletion_of, memory_of, update_of
from tests.integration.embedded.processes import opened, say


def next_change(choices: random.Random, name: str, live: list[Memory], number: int) -> MemoryChange:
    kind = choices.random()
    if live and kind < 0.15:
        return deletion_of(choices.choice(live))
    if live and kind < 0.4:
        return update_of(choices.choice(live), content=f"text {number} of {name}")
    fingerprint = f"{name}-{number}"
    return creation_of(
        memory_of(f"{name}-{number}", f"text {number} of {name}", fingerprint=fingerprint)
    )


def main(path: Path, name: str) -> None:
    choices = random.Random(name)
    live: dict[str, Memory] = {}
    with opened(path, segment_rows=16) as folder:
        for number in range(1_000_000):
            change = next_change(choices, name, list(live.values()), number)
            memory = change.memory
            line = f"{memory.id} {memory.version} {memory.deleted_at is not None}"
            say(f"begin {line}")
            folder.records.commit(change)
            say(f"done {line}")
            live[memory.id] = memory
            if memory.deleted_at is not None:
                del live[memory.id]
            if number % 16 == 15:
                folder.maintenance.run(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
