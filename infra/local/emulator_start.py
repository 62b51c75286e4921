"""Starts ministack with one addition: an archive of a function or layer is unpacked once.

ministack unpacks the layers anew for each process of a function, which takes longer than all the
rest of a cold start and fills the disk with copies. AWS does not: there they lie ready. This module
runs in the environment of the emulator and gives its processes links to one copy.
"""

import hashlib
import importlib
import os
import sys
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import Any

FOLDER_VARIABLE = "EMULATOR_UNPACKED"
"""The folder of the copies, as the environment of this process names it."""

_RUNTIME = "ministack.core.lambda_runtime"
_HASH_DIGITS = 16
_LOCK = threading.Lock()


def folder_of(archive: zipfile.ZipFile, copies: Path) -> Path:
    """The folder with the content of an archive, unpacked now if it is not yet.

    Args:
        archive: Its entries' names, sizes and checksums tell it from others.
        copies: Where such folders are.
    """
    told = "\n".join(f"{one.filename} {one.file_size} {one.CRC}" for one in archive.infolist())
    folder = copies / hashlib.sha256(told.encode()).hexdigest()[:_HASH_DIGITS]
    with _LOCK:
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=copies) as scratch:
                unpacked = Path(scratch, folder.name)
                names = [one.filename for one in archive.infolist()]
                zipfile.ZipFile.extractall(archive, unpacked, names)
                unpacked.rename(folder)
    return folder


class LinkedArchive(zipfile.ZipFile):
    """An archive whose unpacked form is a link."""

    def namelist(self) -> list[str]:
        """None to be checked one by one: `zipfile` lets no entry out of the folder."""
        return []

    def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:  # noqa: ANN401 - as the method it replaces
        """Put a link in the place of the folder, which must be empty; the archive goes."""
        place = Path(path)
        folder = folder_of(self, Path(os.environ[FOLDER_VARIABLE]))
        place.rmdir()
        place.symlink_to(folder)
        Path(str(self.filename)).unlink()


class _ZipModule:
    """What the emulator's runtime uses of `zipfile`."""

    ZipFile = LinkedArchive
    BadZipFile = zipfile.BadZipFile
    LargeFileError = zipfile.LargeZipFile


def main() -> int:
    """Run the emulator."""
    runtime: Any = importlib.import_module(_RUNTIME)
    runtime.zipfile = _ZipModule
    return importlib.import_module("ministack.app").main()


if __name__ == "__main__":
    sys.exit(main())
