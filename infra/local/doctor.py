"""Examining an installation: everything a memory needs to be found again."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

import apsw

from functions import composition
from omoide.adapters.embedded.database import MINIMUM_SQLITE
from omoide.adapters.embedded.folder import DATA_FILE
from omoide.adapters.embedded.verification import Problem
from omoide.domain.errors import OmoideError
from omoide.settings import Settings

LEAST_FREE_MB = 500
"""Less free space than this is worth a warning."""

_CURE = "stop every writer, keep a copy of the folder and restore a backup"
_INDEX_CURE = "no memory is lost; make the index anew with omoide doctor --rebuild-index"


@runtime_checkable
class Verifiable(Protocol):
    """A data folder that can check itself and make its index anew."""

    def verify(self) -> tuple[Problem, ...]:
        """What is wrong with it."""
        ...

    def rebuild_index(self) -> None:
        """Make the whole index anew from the records."""
        ...


class State(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one thing.

    Attributes:
        name: The thing.
        state: How it is.
        text: What was seen and, unless it is well, what to do.
    """

    name: str
    state: State
    text: str


Check = Callable[[Settings], Iterator[Finding]]


def examine(settings: Settings) -> list[Finding]:
    """Check everything; no memory is changed, and no check ends the others."""
    composition.configure(settings)
    findings: list[Finding] = []
    for check in (_sqlite, _folder, _disk, _model, _index):
        findings += _guarded(check, settings)
    composition.close()
    return findings


def rebuild_index(settings: Settings) -> None:
    """Make the index anew from the records, which stay as they are; others may go on meanwhile.

    Raises:
        OmoideError: The data folder cannot be used.
    """
    if not (settings.data / DATA_FILE).exists():
        return
    composition.configure(settings)
    try:
        folder = composition.folder()
        if isinstance(folder, Verifiable):
            folder.rebuild_index()
    finally:
        composition.close()


def _guarded(check: Check, settings: Settings) -> Iterator[Finding]:
    try:
        yield from check(settings)
    except (OmoideError, OSError, apsw.Error) as error:
        name = check.__name__.strip("_")
        yield Finding(name=name, state=State.PROBLEM, text=f"{type(error).__name__}: {error}")


def _sqlite(_: Settings) -> Iterator[Finding]:
    version = apsw.sqlite_lib_version()
    is_new = tuple(int(part) for part in version.split(".")) >= MINIMUM_SQLITE
    least = ".".join(map(str, MINIMUM_SQLITE))
    yield Finding(
        name="sqlite",
        state=State.OK if is_new else State.PROBLEM,
        text=version if is_new else f"{version} is older than {least}: install a newer apsw",
    )


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data
    if not folder.exists():
        text = f"{folder} does not exist yet: the first store makes it"
        yield Finding(name="folder", state=State.OK, text=text)
        return
    for path in (folder, folder / DATA_FILE):
        open_to = stat.S_IMODE(path.stat().st_mode) & 0o077 if path.exists() else 0
        if os.name == "posix" and open_to:
            text = f"{path} can be read by others: chmod -R go-rwx {folder}"
            yield Finding(name="folder", state=State.PROBLEM, text=text)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        text = f"{folder} cannot be written by this user"
        yield Finding(name="folder", state=State.PROBLEM, text=text)
    yield Finding(name="folder", state=State.OK, text=str(folder))


def _disk(settings: Settings) -> Iterator[Finding]:
    nearest = next(p for p in (settings.data, *settings.data.absolute().parents) if p.exists())
    free_mb = shutil.disk_usage(nearest).free / 1e6
    used_mb = sum(p.stat().st_size for p in _files(settings.data)) / 1e6
    text = f"{used_mb:,.1f} MB used, {free_mb:,.0f} MB free"
    if free_mb < LEAST_FREE_MB:
        yield Finding(name="disk", state=State.WARNING, text=f"{text}: make room")
    else:
        yield Finding(name="disk", state=State.OK, text=text)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def _model(_: Settings) -> Iterator[Finding]:
    embedder = composition.embedder()
    profile = embedder.profile
    embedder.embed_query("is the model well?")
    text = f"{profile.model_id}, revision {profile.revision}, {profile.dims} dimensions"
    yield Finding(name="model", state=State.OK, text=text)


def _index(settings: Settings) -> Iterator[Finding]:
    """Whether the database is whole and the index equals the records."""
    if not (settings.data / DATA_FILE).exists():
        return
    folder = composition.folder()
    if not isinstance(folder, Verifiable):
        return
    problems = folder.verify()
    for problem in problems:
        cure = _INDEX_CURE if problem.is_in_index else _CURE
        name = "index" if problem.is_in_index else "records"
        yield Finding(name=name, state=State.PROBLEM, text=f"{problem}: {cure}")
    if not problems:
        text = "the database is whole, the index equals the records"
        yield Finding(name="index", state=State.OK, text=text)
