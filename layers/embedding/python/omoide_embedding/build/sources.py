"""Getting published weights: once, by package name or address, never without their hash."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from omoide_embedding.build.models_file import Source

_PLATFORMS: Final = ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "any")
"""One platform for every machine: only data files are taken from the wheels."""

_PYTHON: Final = ("--python-version", "3.12", "--implementation", "cp")
_BLOCK_BYTES: Final = 1 << 20


class SourceError(Exception):
    """A source cannot be had, or is not what it should be; the message says what to do."""


def fetch(
    source: Source, cache: Path, download: Callable[[Source, Path], None] | None = None
) -> bytes:
    """The bytes of a source, from the cache when they are there.

    Args:
        source: What to get.
        cache: Folder for downloads; a wheel put there by hand is used too.
        download: Puts a package's wheel into a folder; pip unless given.

    Raises:
        SourceError: The download fails, or a hash differs.
    """
    if source.kind == "file":
        content = _read(Path(source.location).expanduser(), source)
    elif source.kind == "package":
        content = _member(_wheel(source, cache, download or pip_download), source)
    else:
        content = _from_url(source, cache)
    return _checked(content, source.sha256, source)


def _wheel(source: Source, cache: Path, download: Callable[[Source, Path], None]) -> Path:
    pattern = f"{source.location.replace('-', '_')}-{source.version}-*.whl"
    for wheel in sorted(cache.glob(pattern)):
        if _sha256(wheel.read_bytes()) == source.package_sha256:
            return wheel
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        download(source, Path(folder))
        wheels = sorted(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise SourceError(f"{source.name}: pip downloaded {len(wheels)} wheels, not one")
        _checked(wheels[0].read_bytes(), source.package_sha256, source)
        return wheels[0].replace(cache / wheels[0].name)


def pip_download(source: Source, folder: Path) -> None:
    """Download the wheel of a package, for one fixed platform, into a folder.

    Raises:
        SourceError: pip did not succeed.
    """
    platforms = [part for tag in _PLATFORMS for part in ("--platform", tag)]
    progress = "on" if sys.stderr.isatty() else "off"
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:",
        "--disable-pip-version-check", "--no-cache-dir", "--retries", "2",
        "--progress-bar", progress, *platforms, *_PYTHON, "--dest", str(folder), source.name,
    ]  # fmt: skip
    ended = subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603
    if ended.returncode:
        raise SourceError(
            f"{source.name} could not be downloaded (pip's message is above). Without a network, "
            "put the wheel into the folder given with --cache and build again."
        )


def _member(wheel: Path, source: Source) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(source.member)
    except (KeyError, zipfile.BadZipFile) as error:
        raise SourceError(f"{source.name}: no member {source.member} in {wheel.name}") from error


def _from_url(source: Source, cache: Path) -> bytes:
    cached = cache / f"{source.sha256[:16]}-{Path(source.location).name}"
    if cached.is_file() and _sha256(cached.read_bytes()) == source.sha256:
        return cached.read_bytes()
    cache.mkdir(parents=True, exist_ok=True)
    content = _checked(_download(source), source.sha256, source)
    with tempfile.NamedTemporaryFile(dir=cache, delete=False) as partial:
        partial.write(content)
    Path(partial.name).replace(cached)
    return content


def _download(source: Source) -> bytes:
    if not source.location.startswith("https://"):
        raise SourceError(f"{source.location}: only https addresses are downloaded")
    try:
        with urllib.request.urlopen(source.location, timeout=60) as answer:  # noqa: S310
            total = int(answer.headers.get("Content-Length") or 0)
            content = bytearray()
            while block := answer.read(_BLOCK_BYTES):
                content += block
                _show_progress(source.location, len(content), total)
            return bytes(content)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise SourceError(f"{source.location} could not be downloaded: {error}") from error


def _show_progress(name: str, done: int, total: int) -> None:
    if sys.stderr.isatty() and total:
        width = max(10, shutil.get_terminal_size().columns - 40)
        bar = "#" * (width * done // total)
        end = "\n" if done >= total else ""
        percent = done * 100 // total
        sys.stderr.write(f"\r{Path(name).name[:24]:24} [{bar:<{width}}] {percent:3}%{end}")
        sys.stderr.flush()


def _read(path: Path, source: Source) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{source.location} cannot be read: {error}") from error


def _checked(content: bytes, expected: str, source: Source) -> bytes:
    found = _sha256(content)
    if found != expected:
        raise SourceError(
            f"{source.name}: sha256 is {found}, expected {expected}; refusing to use it"
        )
    return content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
