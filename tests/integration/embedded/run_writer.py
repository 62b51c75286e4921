"""A process that stores memories and names each one when its write has returned."""

import sys
from pathlib import Path

from tests.contract.samples import creation_of, memory_of
from tests.integration.embedded.processes import opened, say


def main(path: Path, name: str, count: int) -> None:
    with opened(path) as folder:
        say("ready")
        sys.stdin.readline()
        for i in range(count):
            memory = memory_of(f"{name}-{i}", f"{name}word{i} is written", session_id=name, turn=i)
            folder.records.commit(creation_of(memory))
            say(f"{memory.id} {name}word{i}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
