"""Makes this checkout importable from a virtual environment, and puts `omoide` on its path.

Run by `make setup` with the environment's own interpreter; needs the standard library alone. The
product is run from its clone, so there is nothing to build: one `.pth` file with paths relative to
site-packages, and one console script.
"""

import os
import sys
import sysconfig
from pathlib import Path

IMPORT_ROOTS = (".", "layers/core/python", "layers/embedding/python")
"""Folders of the checkout that hold top-level packages."""

LINKS_NAME = "omoide-checkout.pth"
"""Name of the file in site-packages."""

_SCRIPT = """\
#!/bin/sh
'''exec' '{python}' "$0" "$@"
' '''
import sys

from infra.local.entry import main

if __name__ == "__main__":  # worker processes import this file, too
    sys.exit(main())
"""


def link_checkout(checkout: Path, site_packages: Path, scripts: Path) -> Path:
    """Write the import links and the console script.

    Args:
        checkout: Root of the clone.
        site_packages: Where the environment keeps its packages.
        scripts: The environment's folder of commands.

    Returns:
        The console script.
    """
    links = [os.path.relpath(checkout / root, site_packages) for root in IMPORT_ROOTS]
    (site_packages / LINKS_NAME).write_text("\n".join(links) + "\n", encoding="utf-8")

    script = scripts / "omoide"
    python = str(scripts / "python").replace("'", "'\"'\"'")
    script.write_text(_SCRIPT.format(python=python), encoding="utf-8")
    script.chmod(0o755)
    return script


if __name__ == "__main__":
    if sys.prefix == sys.base_prefix:
        sys.exit("link_checkout: run me with the interpreter of a virtual environment")
    link_checkout(
        Path(__file__).resolve().parents[2],
        Path(sysconfig.get_path("purelib")),
        Path(sysconfig.get_path("scripts")),
    )
