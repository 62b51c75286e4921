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
from omoide.domain.errors import OmoideError
from omoide.settings import Settings

LEAST_SQLITE = (3, 51, 3)
"""Earlier ones can corrupt a write-ahead log that two processes write."""

LEAST_FREE_MB = 500
"""Less free space than this is worth a warning."""

DATABASE = "omoide.sqlite3"


_CURE = "stop every writer, keep a copy of the folder and restore a backup"


@runtime_checkable
class Verifiable(Protocol):
    """A data folder that can check itself."""

    def verify(self) -> tuple[str, ...]:
        """What is wrong with it, in words."""
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


def _guarded(check: Check, settings: Settings) -> Iterator[Finding]:
    try:
        yield from check(settings)
    except (OmoideError, OSError, apsw.Error) as error:
        name = check.__name__.strip("_")
        yield Finding(name=name, state=State.PROBLEM, text=f"{type(error).__name__}: {error}")


def _sqlite(_: Settings) -> Iterator[Finding]:
    version = apsw.sqlite_lib_version()
    is_new = tuple(int(part) for part in version.split(".")) >= LEAST_SQLITE
    least = ".".join(map(str, LEAST_SQLITE))
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
    for path in (folder, folder / DATABASE):
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
    if not (settings.data / DATABASE).exists():
        return
    folder = composition.folder()
    if not isinstance(folder, Verifiable):
        return
    problems = folder.verify()
    for problem in problems:
        yield Finding(name="index", state=State.PROBLEM, text=f"{problem}: {_CURE}")
    if not problems:
        text = "the database is whole, the index equals the records"
        yield Finding(name="index", state=State.OK, text=text)
