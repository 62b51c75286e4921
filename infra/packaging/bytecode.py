"""Compiled Python files that are never checked against their source.

The file system of a function is read-only: without shipped bytecode each cold start compiles every
module it imports. Checks by time fail there too, zip files keep no sub-second times.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from infra.packaging.target import PackagingError


def compile_tree(folder: Path, *, python: str, shown_as: str) -> None:
    """Write ``__pycache__`` beside every module.

    Args:
        folder: Root of what is packed.
        python: Version of the interpreter it is for, as in ``3.13``.
        shown_as: Where the folder is at run time; stands in tracebacks.

    Raises:
        PackagingError: There is no such interpreter, or a module does not compile.
    """
    command = [interpreter(python), "-m", "compileall", "-q", "-f"]
    command += ["--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", shown_as]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(  # noqa: S603 - an interpreter of this machine, our own arguments
        [*command, str(folder)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise PackagingError(f"a module does not compile: {(done.stdout + done.stderr)[-500:]}")


def interpreter(version: str) -> str:
    """Return the path of a Python of this version.

    Raises:
        PackagingError: This machine has none; says how to go on without.
    """
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return sys.executable
    found = shutil.which(f"python{version}")
    if found is not None and _version_of(found) == version:
        return found
    raise PackagingError(
        f"the layers need python{version} on this machine to compile their modules, and there is "
        "none; install it, or choose the Python that is here: -c python=3.12"
    )


def _version_of(path: str) -> str | None:
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run(  # noqa: S603 - found by name on this machine
        [path, "-c", question], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
