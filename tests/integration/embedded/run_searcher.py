"""A process that searches for each word it is told and says what it found."""

import sys
from pathlib import Path

from tests.contract.samples import request_of
from tests.integration.embedded.processes import opened, say


def main(path: Path) -> None:
    with opened(path) as folder:
        say("ready")
        for line in sys.stdin:
            request = request_of(line.strip(), vector=None, neighbours=False)
            say(",".join(folder.index.nominate(request).ids) or "nothing")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
