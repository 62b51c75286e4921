import hashlib
import zipfile
from pathlib import Path

import pytest

from omoide_embedding.build.models_file import Source
from omoide_embedding.build.sources import SourceError, fetch

CONTENT = b"published weights"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Shelf:
    """Plays the package index: puts one wheel into the folder asked for."""

    def __init__(self, folder: Path, member: bytes = CONTENT) -> None:
        self.wheel = folder / "tiny_weights-1.0-py3-none-any.whl"
        with zipfile.ZipFile(self.wheel, "w") as archive:
            archive.writestr("tiny/weights.bin", member)
        self.downloads = 0

    def download(self, source: Source, folder: Path) -> None:
        self.downloads += 1
        (folder / self.wheel.name).write_bytes(self.wheel.read_bytes())

    def source(self, *, sha: str = sha256(CONTENT), package_sha: str = "") -> Source:
        return Source(
            kind="package",
            location="tiny-weights",
            version="1.0",
            member="tiny/weights.bin",
            sha256=sha,
            package_sha256=package_sha or sha256(self.wheel.read_bytes()),
        )


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_a_member_is_taken_from_the_wheel_and_the_wheel_kept(tmp_path: Path, shelf: Shelf):
    cache = tmp_path / "cache"

    first = fetch(shelf.source(), cache, shelf.download)
    second = fetch(shelf.source(), cache, shelf.download)

    assert first == second == CONTENT
    assert shelf.downloads == 1


def test_a_corrupted_download_is_refused_and_not_kept(tmp_path: Path, shelf: Shelf):
    cache = tmp_path / "cache"

    with pytest.raises(SourceError, match=r"tiny-weights==1\.0: sha256 is .* refusing"):
        fetch(shelf.source(package_sha="0" * 64), cache, shelf.download)

    assert list(cache.iterdir()) == []


def test_a_wheel_whose_member_differs_is_refused(tmp_path: Path, shelf: Shelf):
    with pytest.raises(SourceError, match="expected " + "1" * 64):
        fetch(shelf.source(sha="1" * 64), tmp_path / "cache", shelf.download)


def test_a_damaged_wheel_in_the_cache_is_downloaded_anew(tmp_path: Path, shelf: Shelf):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / shelf.wheel.name).write_bytes(b"half a wheel")

    assert fetch(shelf.source(), cache, shelf.download) == CONTENT


def test_a_missing_member_is_named(tmp_path: Path, shelf: Shelf):
    with zipfile.ZipFile(shelf.wheel, "w") as archive:
        archive.writestr("tiny/other.bin", CONTENT)

    with pytest.raises(SourceError, match=r"no member tiny/weights\.bin"):
        fetch(shelf.source(), tmp_path / "cache", shelf.download)


def test_a_failed_download_passes_its_reason_on(tmp_path: Path, shelf: Shelf):
    def offline(source: Source, folder: Path) -> None:
        raise SourceError(f"{source.name} could not be downloaded")

    with pytest.raises(SourceError, match="could not be downloaded"):
        fetch(shelf.source(), tmp_path / "cache", offline)


def test_a_file_of_the_users_own_is_used_when_its_hash_fits(tmp_path: Path):
    file = tmp_path / "model.onnx"
    file.write_bytes(CONTENT)
    source = Source(kind="file", location=str(file), sha256=sha256(CONTENT))

    assert fetch(source, tmp_path / "cache") == CONTENT
    file.write_bytes(b"other")
    with pytest.raises(SourceError, match="refusing"):
        fetch(source, tmp_path / "cache")


def test_a_missing_file_is_named(tmp_path: Path):
    source = Source(kind="file", location=str(tmp_path / "none.onnx"), sha256="0")

    with pytest.raises(SourceError, match=r"none\.onnx cannot be read"):
        fetch(source, tmp_path)


def test_only_https_addresses_are_downloaded(tmp_path: Path):
    source = Source(kind="url", location="http://example.test/model.onnx", sha256="0")

    with pytest.raises(SourceError, match="only https"):
        fetch(source, tmp_path)
