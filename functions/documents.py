"""Writes the generated documents: ``python -m functions.documents``; ``--check`` only compares."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from functions.openapi import OPENAPI_FILE, document_text
from functions.operations_page import OPERATIONS_FILE, operations_page
from omoide.settings import configuration_page

ROOT = Path(__file__).parents[1]

DOCUMENTS: Mapping[Path, Callable[[], str]] = {
    OPENAPI_FILE: document_text,
    OPERATIONS_FILE: operations_page,
    ROOT / "docs" / "configuration.md": configuration_page,
}
"""Each generated file with what writes it."""


def outdated() -> list[Path]:
    """The files that are not what they would be if they were written now."""
    return [
        path
        for path, write in DOCUMENTS.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != write()
    ]


def main(arguments: list[str]) -> int:
    """Write the documents, or with ``--check`` name those that are out of date."""
    stale = outdated()
    if "--check" in arguments:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is out of date: run `make docs`\n")
        return 1 if stale else 0
    for path in stale:
        path.write_text(DOCUMENTS[path](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
