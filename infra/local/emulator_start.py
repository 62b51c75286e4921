"""Starts ministack with three differences; runs in its environment.

It unpacks the layers anew for each process of a function, which takes longer than all the rest of a
cold start and fills the disk with copies. In AWS they lie ready: here processes get links to one
copy. It has no TLS, which policies of queues require: here a request that has not left this machine
counts as a secure one. And it asks for rights to send messages in batches, which IAM does not have:
those to send single ones are meant.
"""

import hashlib
import importlib
import os
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER_VARIABLE = "EMULATOR_UNPACKED"
"""The folder of the copies, as the environment of this process names it."""

_RUNTIME = "ministack.core.lambda_runtime"
_POLICIES = "ministack.core.iam_evaluator"
_ACTIONS = "ministack.core.iam_actions"
_HASH_DIGITS = 16
_HERE = frozenset({"127.0.0.1", "::1"})
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


def counted_as_secure(pin: Callable[[str, bool], None]) -> Callable[[str, bool], None]:
    """What notes the origin of a request, for requests that come from this machine."""

    def pinned(source_ip: str, secure_transport: bool) -> None:
        pin(source_ip, secure_transport or source_ip in _HERE)

    return pinned


def without_batches(extract: Callable[..., str | None]) -> Callable[..., str | None]:
    """What tells the action of a request, for SQS those that policies can name."""

    def extracted(*request: object, **more: object) -> str | None:
        action = extract(*request, **more)
        if action is None or not action.startswith("sqs:"):
            return action
        return action.removesuffix("Batch")

    return extracted


def main() -> int:
    """Run the emulator."""
    policies: Any = importlib.import_module(_POLICIES)
    policies.pin_request_origin = counted_as_secure(policies.pin_request_origin)
    actions: Any = importlib.import_module(_ACTIONS)
    actions.extract_iam_action = without_batches(actions.extract_iam_action)
    runtime: Any = importlib.import_module(_RUNTIME)
    runtime.zipfile = _ZipModule
    return importlib.import_module("ministack.app").main()


if __name__ == "__main__":
    sys.exit(main())
