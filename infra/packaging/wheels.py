"""Third-party packages of a layer: installed for the target, trimmed, compiled, kept."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from infra.packaging.bytecode import compile_tree
from infra.packaging.contents import TRIMMED
from infra.packaging.lock import locked_requirements
from infra.packaging.target import PackagingError, Target

LAYER_ROOT = "/opt"


def install_wheels(names: Iterable[str], folder: Path, target: Target) -> None:
    """Make ``folder/python`` hold these packages, unless it does already.

    Args:
        names: Packages of the lock; what they require is not followed.
        folder: Root of the tree; replaced when the lock or the trimming changed.
        target: What it is for.

    Raises:
        PackagingError: A wheel cannot be had for the target, or does not match its hash.
    """
    requirements = locked_requirements(names, target)
    digest = hashlib.sha256(f"{target}\n{requirements}\n{TRIMMED}".encode()).hexdigest()
    stamp = folder / ".stamp"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    listed = folder / "requirements.txt"
    listed.write_text(requirements, encoding="utf-8")
    _install(listed, folder / "python", target)
    listed.unlink()
    _trim(folder / "python")
    compile_tree(folder, python=target.python, shown_as=LAYER_ROOT)
    stamp.write_text(digest, encoding="utf-8")


def _install(requirements: Path, into: Path, target: Target) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-compile", "--require-hashes", "--only-binary", ":all:"]
    command += ["--implementation", "cp", "--python-version", target.python]
    for platform in target.platforms:
        command += ["--platform", platform]
    command += ["--target", str(into), "--requirement", str(requirements)]
    done = subprocess.run(  # noqa: S603 - pip of this interpreter, our own arguments
        command, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise PackagingError(f"pip could not install for {target}: {done.stderr[-2_000:]}")


def _trim(python: Path) -> None:
    for pattern in TRIMMED:
        for path in sorted(python.glob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            elif path.exists():
                path.unlink()
